// Only here: which stored sessions hold a tag at the client's other chargers (rule 61), in whatever order messages of
// several connections come, and after an operator has ended a session.
import { createId, systemClock } from '@busbar/core';
import { type Charger } from '@busbar/domain/chargers';
import { endSession } from '@busbar/domain/sessions';
import { judgeTagNow } from '@busbar/domain/tags';
import { newTag } from '@busbar/domain/testing';
import type { ReportEnvelope } from '@busbar/contracts';
import { createReplica } from '../../testing/replica';
import { eachWithCharger } from '../../testing/one-charger';
import type { ChargerStateWorld, FakeConnection } from '../../testing/open-world';
import { newReport } from '../../testing/report';

let world: ChargerStateWorld;
let charger: Charger;
let connection: FakeConnection;
let elsewhere: FakeConnection;
let idTag: string;
/** Above the positions that the connection itself has used. */
let seq = 1_000;

eachWithCharger((its) => ({ world, charger, connection } = its));
beforeEach(async () => {
  elsewhere = await world.connect(await world.register());
  idTag = `T${createId().slice(-12)}`;
  await world.platform.records.tags.put(newTag({ clientId: world.clientId, idTag }));
});

type Fields = Readonly<Record<string, unknown>>;
const at = (secondsAgo: number): string => new Date(Date.now() - secondsAgo * 1000).toISOString();
const start = (over: Fields = {}, by = connection) =>
  by.ask('StartTransaction', { connectorId: 1, idTag, meterStart: 10, timestamp: at(30), ...over });
const status = (word: string, over: Fields = {}) =>
  connection.report('StatusNotification', { connectorId: 1, status: word, errorCode: 'NoError', ...over });
const stop = (transactionId: unknown, over: Fields = {}) =>
  connection.ask('StopTransaction', { transactionId, meterStop: 110, timestamp: at(0), ...over });
const boot = () => connection.ask('BootNotification', { chargePointVendor: 'V', chargePointModel: 'M' });
const only = async () => (await world.sessions(charger))[0];
const envelopeOf = (
  { chargerId, incarnationId }: Charger,
  { order }: FakeConnection,
  content: Pick<ReportEnvelope, 'kind' | 'action' | 'payload'>,
): ReportEnvelope => {
  const receivedAt = new Date().toISOString();
  return newReport({ chargerId, incarnationId, order, seq: (seq += 1), messageId: createId(), receivedAt, ...content });
};
/** The status in the answer to a start of the same tag at another charger. */
const startElsewhere = async () => {
  const answer = await start({ timestamp: at(0), meterStart: Math.random() }, elsewhere);
  return (answer['idTagInfo'] as Fields)['status'];
};
const end = (transactionId: unknown, reason?: string) => {
  const { sessions, chargers, sites } = world.platform.records;
  const session = { clientId: world.clientId, transactionId: Number(transactionId) };
  return endSession({ sessions, chargers, sites, clock: systemClock }, session, reason);
};

/** The verdict on the tag at a socket of the charger, as the APIs ask for it. */
const judge = (socketId: number) => {
  const { incarnationId } = charger;
  const deps = { ...world.platform.records, clock: systemClock };
  return judgeTagNow(deps, world.clientId, { idTag }, { incarnationId, socketId });
};

it('47. finds a tag and its sessions in any case, also with 20 characters', async () => {
  const { tags } = world.platform.records;
  await tags.put(newTag({ clientId: world.clientId, idTag: 'ABCDEFGHIJKLMNOPQRST' }));
  const authorize = async (text: string) => (await connection.ask('Authorize', { idTag: text }))['idTagInfo'];
  expect(await authorize(idTag.toUpperCase())).toMatchObject({ status: 'Accepted' });
  expect(await authorize('aBcDeFgHiJkLmNoPqRsT')).toMatchObject({ status: 'Accepted' });
  expect((await start({ idTag: idTag.toLowerCase() }))['idTagInfo']).toMatchObject({ status: 'Accepted' });
  const again = await start({ idTag: idTag.toUpperCase(), connectorId: 2 });
  expect(again['idTagInfo']).toMatchObject({ status: 'ConcurrentTx' });
});

it('61. accepts unknown tags of a client that charges openly, but no blocked ones', async () => {
  const { clients, tags, chargers } = world.platform.records;
  const clientId = createId();
  await clients.insert({ clientId, name: 'open', openCharging: true, createdAt: at(0) });
  await tags.put(newTag({ clientId, idTag: 'Bad', blocked: true }));
  const open = { ...charger, chargerId: createId(), incarnationId: createId(), clientId };
  await chargers.insert(open);
  const there = await world.connect(open);
  expect(await there.ask('Authorize', { idTag: 'nobody' })).toEqual({ idTagInfo: { status: 'Accepted' } });
  expect(await there.ask('Authorize', { idTag: 'BAD' })).toEqual({ idTagInfo: { status: 'Blocked' } });
});

describe('61. a tag with a session', () => {
  it('is in use at other sockets until the session ends, and never at its own', async () => {
    const { transactionId } = await start();
    expect([await judge(1), await judge(2), await startElsewhere()]).toEqual(['accepted', 'in_use', 'ConcurrentTx']);
    expect(await only()).toMatchObject({ state: 'ongoing', transactionId });
    await stop(transactionId);
    // The start that was answered ConcurrentTx is stored as a session, but its charger did not continue with it.
    expect([await judge(2), await startElsewhere()]).toEqual(['accepted', 'Accepted']);
  });

  it('is not in use by a refused start, until its charger sends values of it', async () => {
    await world.platform.records.tags.put(newTag({ clientId: world.clientId, idTag, blocked: true }));
    const { transactionId, idTagInfo } = await start();
    expect(idTagInfo).toMatchObject({ status: 'Blocked' });
    await world.platform.records.tags.put(newTag({ clientId: world.clientId, idTag }));
    await connection.report('MeterValues', { connectorId: 1, meterValue: [] });
    expect(await judge(2)).toBe('accepted');
    expect(await only()).toMatchObject({ state: 'refused', verdict: 'blocked' });
    await connection.report('MeterValues', { connectorId: 1, transactionId, meterValue: [] });
    expect(await judge(2)).toBe('in_use');
    expect(await only()).toMatchObject({ state: 'ongoing', verdict: 'blocked' });
    await stop(transactionId, { meterStop: 10 });
    expect(await judge(2)).toBe('accepted');
  });
});

describe('61. a tag whose session was never stopped', () => {
  it('is in use elsewhere until its socket is Available, while its session stays ongoing', async () => {
    const { transactionId } = await start();
    await status('Charging');
    await boot();
    expect(await startElsewhere()).toBe('ConcurrentTx');
    await status('Available');
    expect(await startElsewhere()).toBe('Accepted');
    expect(await only()).toMatchObject({ state: 'ongoing', tagReleased: true });
    expect((await world.read(charger)).reported.ongoing['1']).toMatchObject({ transactionId });
    // A late stop counts.
    await stop(transactionId);
    expect(await only()).toMatchObject({ state: 'ended', consumptionWh: 100, endedBy: 'charger' });
  });

  it('is free immediately when its start is reported after a later Available, and a late stop ends its session', async () => {
    await boot();
    await status('Available', { timestamp: at(5) });
    const { transactionId } = await start({ timestamp: at(3_600) });
    expect(await startElsewhere()).toBe('Accepted');
    expect(await only()).toMatchObject({ state: 'ongoing', tagReleased: true, startedOffline: true });
    expect((await world.read(charger)).reported.ongoing['1']).toMatchObject({ transactionId, tagReleased: true });
    await stop(transactionId, { timestamp: at(1_800) });
    expect(await only()).toMatchObject({ state: 'ended', consumptionWh: 100, endedBy: 'charger' });
    expect((await world.read(charger)).reported.ongoing).toEqual({});
  });

  it.each([
    ['start, boot, Available', false],
    ['boot, start, Available', false],
    ['boot, Available, start', false],
    ['start, boot, Available', true],
    ['boot, start, Available', true],
    ['boot, Available, start', true],
  ])(
    'is free after %s, where the boot sets the clock years back (by another connection: %s)',
    async (order, byNext) => {
      const later = byNext ? await world.connect(charger) : connection;
      const vendor = { chargePointVendor: 'V', chargePointModel: 'M' };
      const available = {
        connectorId: 1,
        status: 'Available',
        errorCode: 'NoError',
        timestamp: '2021-01-01T00:00:00Z',
      };
      const events: Readonly<Record<string, () => Promise<unknown>>> = {
        start: () => start({ timestamp: at(3_600) }),
        boot: () => later.ask('BootNotification', vendor),
        Available: () => later.report('StatusNotification', available),
      };
      for (const event of order.split(', ')) await events[event]?.();
      expect(await startElsewhere()).toBe('Accepted');
      expect(await only()).toMatchObject({ state: 'ongoing', tagReleased: true });
    },
  );
});

it.each([
  ['the socket is free', 'StatusNotification', { connectorId: 1, status: 'Available', errorCode: 'NoError' }],
  ['its session has stopped', 'StopTransaction', { meterStop: 20, timestamp: new Date().toISOString() }],
])('61. accepts a tag elsewhere when %s, also in the same batch', async (_, action, fields) => {
  const { transactionId } = await start();
  const batch: ReportEnvelope[] = [];
  const keep = (envelope: ReportEnvelope): void => void batch.push(envelope);
  const payload = action === 'StopTransaction' ? { ...fields, transactionId } : fields;
  keep(envelopeOf(charger, connection, { kind: 'report', action, payload }));
  const starting = { connectorId: 2, idTag, meterStart: 20, timestamp: at(0) };
  keep(envelopeOf(charger, connection, { kind: 'decision', action: 'StartTransaction', payload: starting }));
  const [, begun] = await createReplica(world)(...batch);
  expect(begun?.answer).toMatchObject({ idTagInfo: { status: 'Accepted' } });
});

describe('a session that its operator ends', () => {
  it('stays ended, is removed from its charger, and releases its tag', async () => {
    const { transactionId } = await start();
    const { session } = await end(transactionId, 'the charger was dismantled');
    const ended = { state: 'ended', endedBy: 'operator', stopReason: 'the charger was dismantled', meterStop: null };
    expect(session).toMatchObject(ended);
    expect(await only()).toMatchObject({ ...ended, endTime: session.endTime });
    expect((await world.read(charger)).reported.ongoing).toEqual({});
    expect(await startElsewhere()).toBe('Accepted');
    await expect(end(transactionId)).rejects.toMatchObject({ code: 'conflict' });
    // Later reports of its charger do not reopen it.
    await connection.report('MeterValues', { connectorId: 1, transactionId, meterValue: [] });
    await status('Charging');
    expect(await only()).toMatchObject(ended);
    expect((await world.read(charger)).reported.ongoing).toEqual({});
  });

  it('58. stores the meter value of a late stop, which is answered normally, and stays ended by the operator', async () => {
    const { transactionId } = await start();
    const { session } = await end(transactionId);
    expect(await stop(transactionId, { reason: 'PowerLoss' })).toEqual({});
    const kept = {
      endedBy: 'operator',
      endTime: session.endTime,
      stopReason: null,
      meterStop: 110,
      consumptionWh: 100,
    };
    expect(await only()).toMatchObject(kept);
    await stop(transactionId, { meterStop: 999 });
    expect(await only()).toMatchObject(kept);
  });

  it('stays ended during concurrent reports, which are stored too', async () => {
    const { transactionId } = await start();
    const reports = Array.from({ length: 20 }, (_, i) =>
      connection.report('MeterValues', { connectorId: 1, transactionId, meterValue: [{ timestamp: at(i) }] }),
    );
    await Promise.all([end(transactionId), ...reports]);
    await status('Charging');
    const { reported } = await world.read(charger);
    expect(reported.ongoing).toEqual({});
    expect(reported.sockets['1']).toMatchObject({ state: 'Charging' });
    const { sessionId = '' } = (await only()) ?? {};
    expect(await world.meterValues(sessionId)).toHaveLength(20);
  });
});
