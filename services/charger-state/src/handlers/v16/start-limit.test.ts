// Only here: the counters in the store that starts take transaction ids from, over chargers and restarts; and what the
// service logs and counts of refused starts.
import { collections } from '@busbar/store';
import { openWorld, type ChargerStateWorld } from '../../testing/open-world';

const BEGAN = Date.now() - 10_000;
const start = (n: number) => ({
  connectorId: 1,
  idTag: 'T',
  meterStart: n,
  timestamp: new Date(BEGAN + n * 1_000).toISOString(),
});

let world: ChargerStateWorld;
afterEach(() => world.close());

describe('a charger that begins transactions beyond its limit of a day', () => {
  it('gets no answer and no transaction id, and is logged once', async () => {
    world = await openWorld({ maxStartsPerDay: 3 });
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
});

describe('a client whose chargers begin transactions beyond its limit of a day', () => {
  it('gets no transaction id by deleting and creating chargers', async () => {
    world = await openWorld({ maxClientStartsPerDay: 4 });
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
  });
});

it('refuses starts when no transaction id is left, and gives none beyond 32 bits or twice', async () => {
  world = await openWorld();
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
});
