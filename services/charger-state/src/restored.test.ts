// A store that was restored from a backup, while the broker still has later messages of chargers. Their orders and ids
// are above the counters of the store.
import { createId } from '@busbar/core';
import type { Charger } from '@busbar/domain/chargers';
import { connectionsToClose } from './pipeline/closings';
import { openWorld, type ChargerStateWorld, type FakeConnection } from './testing/open-world';

/** The backup has one connection of the charger; the broker still has messages of its 57th. */
const LOST_ORDER = 57;

let world: ChargerStateWorld;
let charger: Charger;
let before: FakeConnection;

beforeAll(async () => {
  world = await openWorld({ openCharging: true });
});
afterAll(() => world.close());
beforeEach(async () => {
  charger = await world.register();
  before = await world.connect(charger);
});

const statusOf = (status: string) => ({ connectorId: 1, status, errorCode: 'NoError' });
const lost = (seq: number) => ({ order: LOST_ORDER, seq, connectionId: 'lost' });
const read = () => world.read(charger);

async function orderGiven(): Promise<number> {
  const given = await world.admission(charger);
  if (given.outcome !== 'answered' || given.answer.outcome !== 'accept') throw new Error('not admitted');
  return given.answer.order;
}

describe('a backlog that is applied before the charger reconnects', () => {
  it('blocks none of its later messages', async () => {
    await before.report('StatusNotification', statusOf('Charging'), lost(9));
    const connection = await world.connect(charger);
    await connection.report('StatusNotification', statusOf('Available'));
    const { reported, connection: shown } = await read();
    expect(connection.order).toBeGreaterThan(LOST_ORDER);
    expect(reported.sockets['1']).toMatchObject({ state: 'Available' });
    expect(reported.lastPosition).toEqual([connection.order, 2]);
    expect(shown).toMatchObject({ active: true, connectionId: connection.connectionId });
  });

  it('closes no new connection in place of a lost one', async () => {
    await before.send('connected', lost(1));
    const connection = await world.connect(charger);
    const report = await connection.send('connected');
    const now = await read();
    expect(now.connection).toMatchObject({ active: true, connectionId: connection.connectionId });
    expect(connectionsToClose({ report, charger: now }).map(({ connectionId }) => connectionId)).not.toContain(
      connection.connectionId,
    );
  });

  it('gives every gateway that asks at the same time another order', async () => {
    await before.send('connected', lost(1));
    const orders = await Promise.all(Array.from({ length: 8 }, orderGiven));
    expect(new Set(orders).size).toBe(orders.length);
    expect(Math.min(...orders)).toBeGreaterThan(LOST_ORDER);
    expect(await orderGiven()).toBeGreaterThan(Math.max(...orders));
  });
});

describe('a backlog that is applied after the charger reconnected', () => {
  it('reverts nothing where the counters were raised', async () => {
    await world.platform.raiseCounters();
    const connection = await world.connect(charger);
    await connection.report('StatusNotification', statusOf('Available'));
    const mine = await read();
    const late = await before.send('connected', lost(1));
    await before.report('StatusNotification', statusOf('Charging'), lost(2));
    const { reported, connection: shown } = await read();
    expect(shown).toEqual(mine.connection);
    expect(reported.sockets).toEqual(mine.reported.sockets);
    expect(connectionsToClose({ report: late, charger: await read() })).toMatchObject([{ connectionId: 'lost' }]);
  });
});

it('does not stop another transaction for one that the backup lacks', async () => {
  const start = async (connectorId: number): Promise<unknown> => {
    const timestamp = new Date().toISOString();
    const answer = await before.ask('StartTransaction', { connectorId, idTag: createId(), meterStart: 0, timestamp });
    return answer['transactionId'];
  };
  // The next transaction id of the store is the one that a session got after the backup.
  const known = Number(await start(1));
  await world.platform.raiseCounters();
  const given = await start(2);
  expect(given).not.toBe(known + 1);
  const timestamp = new Date().toISOString();
  await before.ask('StopTransaction', { transactionId: known + 1, meterStop: 5, timestamp });
  expect((await world.sessions(charger)).map(({ state }) => state)).toEqual(['ongoing', 'ongoing']);
});
