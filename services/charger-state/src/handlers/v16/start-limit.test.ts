import { collections } from '@busbar/store';
import { openWorld, type ChargerStateWorld } from '../../testing/open-world';
import { isOverStartLimit, withStartCounted, withStartRefused } from '../shared/start-budget';

const BEGAN = Date.now() - 10_000;
const start = (n: number) => ({
  connectorId: 1,
  idTag: 'T',
  meterStart: n,
  timestamp: new Date(BEGAN + n * 1_000).toISOString(),
});

describe('a charger that begins transactions beyond its limit of a day', () => {
  let world: ChargerStateWorld;
  beforeEach(async () => {
    world = await openWorld({ maxStartsPerDay: 3 });
  });
  afterEach(() => world.close());

  it('gets no answer and no transaction id, and is logged once', async () => {
    const charger = await world.register();
    const connection = await world.connect(charger);
    const ids: unknown[] = [];
    for (let n = 0; n < 3; n += 1) ids.push((await connection.ask('StartTransaction', start(n))).transactionId);
    await expect(connection.ask('StartTransaction', start(3))).rejects.toThrow('failed');
    await expect(connection.ask('StartTransaction', start(4))).rejects.toThrow('failed');
    expect(await world.sessions(charger)).toHaveLength(3);
    expect(await world.metric('busbar_state_refused_starts_total{reason="too_many_starts"}')).toBe(2);
    expect(world.logger.lines.filter(({ level }) => level === 'warn')).toMatchObject([
      { fields: { chargerId: charger.chargerId, reason: 'too_many_starts', starts: 3 } },
    ]);
    const other = await world.connect(await world.register());
    expect(await other.ask('StartTransaction', start(0))).toMatchObject({ transactionId: Number(ids.at(-1)) + 1 });
  });

  it('is answered as before for a start that it sends again, and for its stop', async () => {
    const charger = await world.register();
    const connection = await world.connect(charger);
    const first = await connection.ask('StartTransaction', start(0));
    // The same start sent again counts once.
    for (let n = 0; n < 5; n += 1) expect(await connection.ask('StartTransaction', start(0))).toEqual(first);
    for (let n = 1; n < 3; n += 1) await connection.ask('StartTransaction', start(n));
    await expect(connection.ask('StartTransaction', start(3))).rejects.toThrow('failed');
    expect(await connection.ask('StartTransaction', start(0))).toMatchObject({ transactionId: first.transactionId });
    const stop = { transactionId: first.transactionId, meterStop: 9, timestamp: new Date().toISOString() };
    await connection.ask('StopTransaction', stop);
    const sessions = await world.sessions(charger);
    expect(sessions.find(({ transactionId }) => transactionId === first.transactionId)).toMatchObject({
      state: 'ended',
    });
  });
});

describe('a client whose chargers begin transactions beyond its limit of a day', () => {
  it('gets no transaction id by deleting and creating chargers', async () => {
    const world = await openWorld({ maxClientStartsPerDay: 4 });
    const first = await world.register();
    const connection = await world.connect(first);
    for (let n = 0; n < 3; n += 1) await connection.ask('StartTransaction', start(n));
    await world.platform.records.chargers.remove(await world.read(first));
    const second = await world.connect(await world.register());
    await second.ask('StartTransaction', start(0));
    // Also after a restart of the service.
    await world.restart();
    const third = await world.connect(await world.register());
    for (const n of [0, 1]) await expect(third.ask('StartTransaction', start(n))).rejects.toThrow('failed');
    expect(await second.ask('StartTransaction', start(0))).toHaveProperty('transactionId');
    expect(await world.metric('busbar_state_refused_starts_total{reason="too_many_client_starts"}')).toBe(2);
    expect(world.logger.lines.filter(({ level }) => level === 'warn')).toMatchObject([
      { fields: { clientId: first.clientId, reason: 'too_many_client_starts' } },
    ]);
    expect(await world.platform.store.collection(collections.counters).get('transactionId')).toMatchObject({
      value: 4,
    });
    await world.close();
  });
});

it('counts the starts of a charger anew each day (UTC)', async () => {
  const world = await openWorld();
  const charger = await world.register();
  const on = (day: string) => `2026-01-${day}T12:00:00.000Z`;
  const session = (transactionId: number) => ({ transactionId }) as never;
  const twice = withStartCounted(withStartCounted(charger, session(1), on('01')), session(2), on('01'));
  expect([2, 3, 0].map((limit) => isOverStartLimit(twice, on('01'), limit))).toEqual([true, false, false]);
  expect(isOverStartLimit(twice, on('02'), 2)).toBe(false);
  const next = withStartCounted(withStartRefused(twice, on('01')), session(3), on('02'));
  expect(next.reported.starts).toEqual({ day: '2026-01-02', count: 1, refused: 0, lastTransactionId: 3 });
  await world.close();
});

it('refuses starts when no transaction id is left, and gives none beyond 32 bits or twice', async () => {
  const world = await openWorld();
  const counters = world.platform.store.collection(collections.counters);
  await counters.incrementAndGet('transactionId', 'value', 2_147_483_646);
  const charger = await world.register();
  const connection = await world.connect(charger);
  expect(await connection.ask('StartTransaction', start(0))).toMatchObject({ transactionId: 2_147_483_647 });
  await expect(connection.ask('StartTransaction', start(1))).rejects.toThrow('failed');
  expect(await world.sessions(charger)).toHaveLength(1);
  expect(await world.metric('busbar_state_refused_starts_total{reason="out_of_ids"}')).toBe(1);
  const [line] = world.logger.lines.filter(({ fields }) => fields.reason === 'out_of_ids');
  // No day restores transaction ids, so the error names no time to wait for.
  expect(line).toMatchObject({ level: 'error', message: expect.not.stringContaining('tomorrow') as string });
  await world.close();
});
