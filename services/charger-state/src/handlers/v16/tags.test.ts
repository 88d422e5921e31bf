// The verdict on tags (rules 47 and 61), in answers to chargers and in the APIs.
import { createId, systemClock } from '@busbar/core';
import { type Charger } from '@busbar/domain/chargers';
import { judgeTagNow, type Tag } from '@busbar/domain/tags';
import { newTag } from '@busbar/domain/testing';
import { eachWithCharger } from '../../testing/one-charger';
import type { ChargerStateWorld, FakeConnection } from '../../testing/open-world';

let world: ChargerStateWorld;
let charger: Charger;
let connection: FakeConnection;

eachWithCharger((its) => ({ world, charger, connection } = its));

const at = (secondsAgo: number): string => new Date(Date.now() - secondsAgo * 1000).toISOString();
const PAST = '2020-01-01T00:00:00.000Z';
const FUTURE = '2999-01-01T00:00:00.000Z';

/** A tag that no other test uses. */
async function putTag(over: Partial<Tag> = {}): Promise<string> {
  const idTag = `T${createId().slice(-12)}`;
  await world.platform.records.tags.put(newTag({ clientId: world.clientId, idTag, ...over }));
  return idTag;
}

const authorize = async (idTag: string) => (await connection.ask('Authorize', { idTag }))['idTagInfo'];
const start = async (idTag: string, over: Readonly<Record<string, unknown>> = {}, by = connection) =>
  by.ask('StartTransaction', { connectorId: 1, idTag, meterStart: 0, timestamp: at(1), ...over });
const judge = (idTag: string, socketId = 1) => {
  const { tags, clients, sessions } = world.platform.records;
  const { incarnationId } = charger;
  return judgeTagNow({ tags, clients, sessions, clock: systemClock }, world.clientId, idTag, {
    incarnationId,
    socketId,
  });
};

it.each([
  ['good', {}, 'Accepted', 'accepted'],
  ['blocked', { blocked: true }, 'Blocked', 'blocked'],
  ['expired', { expiringDate: PAST }, 'Expired', 'expired'],
  ['not valid yet', { startDate: FUTURE }, 'Invalid', 'not_yet_valid'],
  ['valid between two timestamps', { startDate: PAST, expiringDate: FUTURE }, 'Accepted', 'accepted'],
  ['blocked and expired', { blocked: true, expiringDate: PAST }, 'Blocked', 'blocked'],
] as const)(
  '61. gives the same verdict on a tag that is %s in Authorize, StartTransaction and the APIs',
  async (_, over, status, verdict) => {
    const idTag = await putTag(over);
    expect(await judge(idTag)).toBe(verdict);
    expect(await authorize(idTag)).toMatchObject({ status });
    expect((await start(idTag))['idTagInfo']).toMatchObject({ status });
  },
);

it('61. answers Invalid for an unknown tag, without expiry and parent', async () => {
  expect(await authorize('nobody')).toEqual({ status: 'Invalid' });
  expect((await start('nobody'))['idTagInfo']).toEqual({ status: 'Invalid' });
  expect(await judge('nobody')).toBe('unknown');
});

it('47. compares tags without case, also those of 20 characters', async () => {
  const idTag = await putTag();
  await putTag({ idTag: 'ABCDEFGHIJKLMNOPQRST', idTagKey: 'abcdefghijklmnopqrst' });
  expect(await authorize(idTag.toUpperCase())).toMatchObject({ status: 'Accepted' });
  expect(await authorize('aBcDeFgHiJkLmNoPqRsT')).toMatchObject({ status: 'Accepted' });
  expect((await start(idTag.toLowerCase()))['idTagInfo']).toMatchObject({ status: 'Accepted' });
  expect((await start(idTag.toUpperCase(), { connectorId: 2 }))['idTagInfo']).toMatchObject({ status: 'ConcurrentTx' });
});

it('61. names the parent and the expiry of a tag in every answer', async () => {
  const idTag = await putTag({ parentIdTag: 'Family', expiringDate: FUTURE });
  const info = { status: 'Accepted', parentIdTag: 'Family', expiryDate: FUTURE };
  expect(await authorize(idTag)).toEqual(info);
  const { transactionId, idTagInfo } = await start(idTag);
  expect(idTagInfo).toEqual(info);
  const stop = { transactionId, meterStop: 1, timestamp: at(0), idTag };
  expect((await connection.ask('StopTransaction', stop))['idTagInfo']).toEqual(info);
});

it('61. omits a parent that is too long for OCPP 1.6', async () => {
  const [fits, tooLong] = ['P'.repeat(20), 'P'.repeat(21)];
  expect(await authorize(await putTag({ parentIdTag: fits }))).toEqual({ status: 'Accepted', parentIdTag: fits });
  const idTag = await putTag({ parentIdTag: tooLong });
  expect(await authorize(idTag)).toEqual({ status: 'Accepted' });
  expect((await start(idTag))['idTagInfo']).toEqual({ status: 'Accepted' });
});

it('61. lets another tag of the same parent end the session, and begin one of its own', async () => {
  const first = await putTag({ parentIdTag: 'Group' });
  const second = await putTag({ parentIdTag: 'Group' });
  const { transactionId } = await start(first);
  // The charger compares the parents (OCPP 1.6 3.5.1): both answers must name it.
  expect(await authorize(second)).toEqual({ status: 'Accepted', parentIdTag: 'Group' });
  const stop = { transactionId, meterStop: 9, timestamp: at(0), idTag: second };
  expect(await connection.ask('StopTransaction', stop)).toMatchObject({ idTagInfo: { status: 'Accepted' } });
  expect(await world.sessions(charger)).toMatchObject([{ state: 'ended', idTag: first }]);
  expect((await start(second, { connectorId: 2 }))['idTagInfo']).toMatchObject({ status: 'Accepted' });
});

it('61. answers ConcurrentTx for a tag in use elsewhere in StartTransaction alone, until its session ends', async () => {
  const idTag = await putTag();
  const { transactionId } = await start(idTag);
  const elsewhere = await world.connect(await world.register());
  expect(await authorize(idTag)).toMatchObject({ status: 'Accepted' });
  expect([await judge(idTag, 1), await judge(idTag, 2)]).toEqual(['accepted', 'in_use']);
  expect((await start(idTag, {}, elsewhere))['idTagInfo']).toMatchObject({ status: 'ConcurrentTx' });
  const [session] = await world.sessions(charger);
  expect(session).toMatchObject({ state: 'ongoing', transactionId });
  await connection.ask('StopTransaction', { transactionId, meterStop: 1, timestamp: at(0), idTag });
  // The start that was answered ConcurrentTx is stored as a session, but its charger did not continue with it.
  expect(await judge(idTag, 2)).toBe('accepted');
  expect((await start(idTag, { connectorId: 2, meterStart: 7 }))['idTagInfo']).toMatchObject({ status: 'Accepted' });
});

describe('61. a start that was refused', () => {
  const REFUSED = [
    ['ConcurrentTx', 'in_use', {}],
    ['Blocked', 'blocked', { blocked: true }],
    ['Expired', 'expired', { expiringDate: PAST }],
    ['Invalid', 'not_yet_valid', { startDate: FUTURE }],
  ] as const;

  /** A start of a refused tag; afterwards the tag is accepted and not in use elsewhere. */
  async function refusedStart(status: string, over: Partial<Tag>) {
    const idTag = await putTag(over);
    const other = await world.connect(await world.register());
    const before = status === 'ConcurrentTx' ? await start(idTag, {}, other) : undefined;
    const { transactionId, idTagInfo } = await start(idTag);
    expect(idTagInfo).toMatchObject({ status });
    await putTag({ idTag, idTagKey: idTag.toLowerCase() });
    const stop = { transactionId: before?.['transactionId'], meterStop: 0, timestamp: at(0) };
    if (before) await other.ask('StopTransaction', stop);
    return { idTag, transactionId };
  }

  it.each(REFUSED)('retains its verdict and does not occupy its tag: %s', async (status, verdict, over) => {
    const { idTag, transactionId } = await refusedStart(status, over);
    expect(await world.sessions(charger)).toMatchObject([{ transactionId, state: 'refused', verdict }]);
    expect(await judge(idTag, 2)).toBe('accepted');
    const elsewhere = await world.connect(await world.register());
    expect((await start(idTag, {}, elsewhere))['idTagInfo']).toMatchObject({ status: 'Accepted' });
    // A repeated start gets the same answer.
    expect(await start(idTag, { timestamp: (await world.sessions(charger))[0]?.startTime })).toMatchObject({
      transactionId,
      idTagInfo: { status },
    });
  });

  it('occupies its tag when the charger sends values of it', async () => {
    const { idTag, transactionId } = await refusedStart('Blocked', { blocked: true });
    await connection.report('MeterValues', { connectorId: 1, meterValue: [] });
    expect(await judge(idTag, 2)).toBe('accepted');
    await connection.report('MeterValues', { connectorId: 1, transactionId, meterValue: [] });
    expect(await judge(idTag, 2)).toBe('in_use');
    expect(await world.sessions(charger)).toMatchObject([{ verdict: 'blocked', state: 'ongoing' }]);
    expect((await world.read(charger)).reported.ongoing['1']).toMatchObject({ refused: false });
    await connection.ask('StopTransaction', { transactionId, meterStop: 0, timestamp: at(0) });
    expect(await judge(idTag, 2)).toBe('accepted');
  });

  it('occupies its tag when its socket charges, not while another does', async () => {
    const { idTag } = await refusedStart('ConcurrentTx', {});
    const state = (connectorId: number, status: string) =>
      connection.report('StatusNotification', { connectorId, status, errorCode: 'NoError' });
    await state(2, 'Charging');
    await state(1, 'SuspendedEVSE');
    expect(await judge(idTag, 2)).toBe('accepted');
    await state(1, 'Charging');
    expect(await judge(idTag, 2)).toBe('in_use');
    expect(await world.sessions(charger)).toMatchObject([{ verdict: 'in_use', state: 'ongoing' }]);
  });
});

it('54. never answers ConcurrentTx for a start that is reported hours late', async () => {
  const idTag = await putTag();
  await start(idTag);
  const late = await start(idTag, { connectorId: 2, timestamp: at(3 * 3600) });
  expect(late['idTagInfo']).toMatchObject({ status: 'Accepted' });
});

it('61. accepts unknown tags of a client that charges openly, but no blocked ones', async () => {
  const { clients, tags, sessions, chargers } = world.platform.records;
  const clientId = createId();
  await clients.insert({ clientId, name: 'open', openCharging: true, createdAt: PAST });
  await tags.put(newTag({ clientId, idTag: 'Bad', blocked: true }));
  const open = { ...charger, chargerId: createId(), incarnationId: createId(), clientId };
  await chargers.insert(open);
  const there = await world.connect(open);
  expect(await there.ask('Authorize', { idTag: 'nobody' })).toEqual({ idTagInfo: { status: 'Accepted' } });
  expect(await start('nobody', {}, there)).toMatchObject({ idTagInfo: { status: 'Accepted' } });
  expect(await there.ask('Authorize', { idTag: 'BAD' })).toEqual({ idTagInfo: { status: 'Blocked' } });
  const place = { incarnationId: open.incarnationId, socketId: 1 };
  const deps = { tags, clients, sessions, clock: systemClock };
  expect(await judgeTagNow(deps, clientId, 'nobody else', place)).toBe('accepted');
  expect(await judgeTagNow(deps, clientId, 'bad', place)).toBe('blocked');
});

it('61. treats a tag of another client as unknown', async () => {
  const idTag = await putTag({ clientId: createId() });
  expect(await authorize(idTag)).toEqual({ status: 'Invalid' });
});
