// When a tag is free again though no stop came (rule 61), and what a charger reports after an operator ended its
// session.
import { createId, systemClock } from '@busbar/core';
import { type Charger } from '@busbar/domain/chargers';
import { endSession } from '@busbar/domain/sessions';
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

  it.each([
    ['after its socket was Finishing', () => status('Finishing')],
    ['after its socket was Charging', () => status('Charging')],
    ['after a boot', () => boot()],
  ])('is free once its socket is Preparing %s, for the next driver', async (_, before) => {
    await start();
    await before();
    await status('Preparing');
    expect(await startElsewhere()).toBe('Accepted');
  });

  it.each([
    ['Preparing again, before it charges', () => status('Preparing')],
    ['Finishing', () => status('Finishing')],
    ['Faulted', () => status('Faulted')],
    ['Available, of before its start', () => status('Available', { timestamp: at(60) })],
  ])('stays in use while its socket is %s', async (_, act) => {
    await status('Preparing', { timestamp: at(90) });
    await start();
    await act();
    expect(await startElsewhere()).toBe('ConcurrentTx');
  });

  it('stays in use when another socket, or the charger itself, is Available', async () => {
    await start();
    await status('Available', { connectorId: 2 });
    await status('Available', { connectorId: 0 });
    expect(await startElsewhere()).toBe('ConcurrentTx');
  });

  it('stays in use when an older connection reports Available late', async () => {
    const next = await world.connect(charger);
    await start({}, next);
    await status('Available');
    expect(await startElsewhere()).toBe('ConcurrentTx');
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

  it('is free immediately when its start is reported late, by an older connection than the Available', async () => {
    const next = await world.connect(charger);
    await next.report('StatusNotification', { connectorId: 1, status: 'Available', errorCode: 'NoError' });
    await start();
    expect(await startElsewhere()).toBe('Accepted');
  });

  it('shows no refused start that is reported after a later Available', async () => {
    await status('Available', { timestamp: at(5) });
    await start({ idTag: 'Nobody', timestamp: at(3_600) });
    expect((await world.read(charger)).reported.ongoing).toEqual({});
    expect(await only()).toMatchObject({ state: 'refused' });
  });

  it.each([
    ['was Available before it', () => status('Available', { timestamp: at(3_700) })],
    ['was Available without a timestamp', () => status('Available')],
    ['was Available before a boot', () => status('Available', { timestamp: at(5) }).then(boot)],
    [
      'has been Charging since',
      () => status('Available', { timestamp: at(6) }).then(() => status('Charging', { timestamp: at(5) })),
    ],
  ])('stays in use by a start made offline when its socket %s', async (_, act) => {
    await act();
    await start({ timestamp: at(3_600) });
    expect(await startElsewhere()).toBe('ConcurrentTx');
  });

  it('stays in use by a start that the charger reports immediately, also where its clock was ahead before', async () => {
    await status('Available', { timestamp: at(-30) });
    await start({ timestamp: at(0) });
    expect(await startElsewhere()).toBe('ConcurrentTx');
  });

  it('is free once its socket is Available after a boot, by a clock that the boot set years back', async () => {
    await status('Charging', { timestamp: at(40) });
    await start();
    await boot();
    await status('Available', { timestamp: '2021-01-01T00:00:00Z' });
    expect(await startElsewhere()).toBe('Accepted');
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

  it.each([
    ['a status that the charger queued for days', 5 * 86_400, 3_600],
    ['a clock that is years slow, before and after the boot', 5 * 365 * 86_400, 5 * 365 * 86_400 - 30],
  ])('stays in use when the Available after a boot is before its start by %s', async (_, availableAgo, startAgo) => {
    await boot();
    await status('Available', { timestamp: at(availableAgo) });
    await start({ timestamp: at(startAgo) });
    expect(await startElsewhere()).toBe('ConcurrentTx');
  });

  it('is free after a refused start when the socket is Available, until values of the session make it ongoing', async () => {
    const { transactionId } = await start({ idTag: 'Nobody' });
    await status('Available');
    expect((await world.read(charger)).reported.ongoing).toEqual({});
    await status('Charging');
    expect(await only()).toMatchObject({ state: 'refused' });
    await connection.report('MeterValues', { connectorId: 1, transactionId, meterValue: [] });
    expect(await only()).toMatchObject({ state: 'ongoing' });
  });
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

  it('stays ended by its charger where the stop was first', async () => {
    const { transactionId } = await start();
    await stop(transactionId);
    await expect(end(transactionId)).rejects.toMatchObject({ code: 'conflict' });
    expect(await only()).toMatchObject({ endedBy: 'charger', stopReason: 'Local' });
  });

  it('stays refused where its start was refused, and has its end', async () => {
    const { transactionId } = await start({ idTag: 'Nobody' });
    expect((await end(transactionId)).session).toMatchObject({ state: 'refused', endedBy: 'operator' });
  });

  it.each([
    ['ended by a late stop that reports energy', { meterStop: 110 }, 'ended', 100],
    ['still refused after a late stop without energy', { meterStop: 10 }, 'refused', 0],
    ['still refused after a late stop with the reason DeAuthorized', { reason: 'DeAuthorized' }, 'refused', 0],
  ])('53. is %s, where its start was refused', async (_, over, state, countedWh) => {
    const read = () => world.platform.records.statistics.read(world.clientId, new Date());
    const { energyTodayWh } = await read();
    const { transactionId } = await start({ idTag: 'Nobody' });
    const { session } = await end(transactionId, 'left');
    await stop(transactionId, over);
    const kept = { endedBy: 'operator', endTime: session.endTime, stopReason: 'left', verdict: 'unknown' };
    expect(await only()).toMatchObject({ ...kept, state });
    expect(await read()).toMatchObject({ energyTodayWh: energyTodayWh + countedWh });
  });

  it('can be ended when it was superseded before', async () => {
    const { transactionId } = await start();
    await start({ meterStart: 11 });
    expect((await end(transactionId)).session).toMatchObject({ state: 'ended', endedBy: 'operator' });
    expect(Object.keys((await world.read(charger)).reported.ongoing)).toEqual(['1']);
  });

  it('cannot be ended by another client', async () => {
    const { transactionId } = await start();
    const { sessions, chargers, sites } = world.platform.records;
    const other = { clientId: 'other', transactionId: Number(transactionId) };
    await expect(endSession({ sessions, chargers, sites, clock: systemClock }, other)).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await only()).toMatchObject({ state: 'ongoing' });
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
