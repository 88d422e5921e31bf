// Messages that are delivered late, twice or out of order, and the connection in the record.
import { channels, partitionOf, REPORT_VERSION, type CloseConnection } from '@busbar/contracts';
import { createId } from '@busbar/core';
import type { Charger } from '@busbar/domain/chargers';
import { allCollections, createDeadLetterStore } from '@busbar/store';
import { eventually } from '@busbar/testing';
import { openWorld, PARTITIONS, type ChargerStateWorld } from '../testing/open-world';

let world: ChargerStateWorld;
let charger: Charger;

beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  charger = await world.register();
});

const statusOf = (status: string) => ({
  connectorId: 1,
  status,
  errorCode: 'NoError',
  timestamp: new Date().toISOString(),
});

describe('a message that is delivered twice', () => {
  it('creates one row and counts once', async () => {
    const connection = await world.connect(charger);
    const report = await connection.report('Heartbeat', {}, { deviations: ['vendor_field'] });
    await connection.publish(report);
    await world.restart();
    await connection.publish(report);
    expect((await world.read(charger)).reported.deviations['vendor_field']).toMatchObject({ count: 1 });
    expect(await world.log(charger)).toHaveLength(1);
  });

  it('does not restore an older status', async () => {
    const connection = await world.connect(charger);
    const old = await connection.report('StatusNotification', { ...statusOf('Preparing'), timestamp: undefined });
    await connection.report('StatusNotification', { ...statusOf('Charging'), timestamp: undefined });
    await connection.publish(old);
    expect((await world.read(charger)).reported.sockets['1']).toMatchObject({ state: 'Charging' });
  });
});

describe('two connections of one charger', () => {
  it('14. keeps the newer one unchanged by the close of the older one', async () => {
    const older = await world.connect(charger);
    const newer = await world.connect(charger);
    await older.send('disconnected');
    expect((await world.read(charger)).connection).toMatchObject({ active: true, connectionId: newer.connectionId });
    await newer.send('disconnected');
    expect((await world.read(charger)).connection).toMatchObject({ active: false, since: null });
  });

  it('stores the reports of the older one, which revert nothing that the newer one reported', async () => {
    const older = await world.connect(charger);
    const newer = await world.connect(charger);
    await newer.report('StatusNotification', statusOf('Charging'));
    await older.report('StatusNotification', statusOf('Available'));
    await older.report('StatusNotification', { ...statusOf('Faulted'), connectorId: 2 });
    const { reported } = await world.read(charger);
    expect(reported.sockets['1']).toMatchObject({ state: 'Charging' });
    expect(reported.sockets['2']).toMatchObject({ state: 'Error' });
    expect(JSON.parse(reported.lastMessage ?? '')).toMatchObject({ 3: { status: 'Charging' } });
    expect(await world.log(charger)).toHaveLength(3);
  });

  it('requests the close of the older one, also when its `connected` arrives second', async () => {
    const asked: CloseConnection[] = [];
    const elsewhere = createId();
    const subscription = await world.platform.broker.respond(channels.closings, elsewhere, (request) => {
      asked.push(request);
      return Promise.resolve({ connectionId: request.connectionId, wasOpen: true });
    });
    const older = await world.connect(charger, { gatewayId: elsewhere });
    await world.connect(charger);
    await eventually(() => asked.some(({ connectionId }) => connectionId === older.connectionId));

    // Again, in reverse order: the newer one is announced first.
    const late = await world.connect(await world.register(), { gatewayId: elsewhere });
    await late.send('connected', { order: 0, connectionId: 'came-late' });
    await eventually(() => asked.some(({ connectionId }) => connectionId === 'came-late'));
    await subscription.close();
  });

  it('requests the close of the older one again when the newer one ended before its redelivery', async () => {
    const asked: string[] = [];
    const elsewhere = createId();
    const subscription = await world.platform.broker.respond(channels.closings, elsewhere, ({ connectionId }) => {
      asked.push(connectionId);
      return Promise.resolve({ connectionId, wasOpen: true });
    });
    const older = await world.connect(charger, { gatewayId: elsewhere });
    const newer = await world.connect(charger);
    await newer.send('disconnected');
    await eventually(() => asked.length === 1);
    // As after a crash between the store and the acknowledgement.
    await newer.send('connected', { seq: 1 });
    await eventually(() => asked.length === 2);
    expect(asked).toEqual([older.connectionId, older.connectionId]);
    await older.send('disconnected');
    expect((await world.read(charger)).connection).toMatchObject({ active: false, replaced: null });
    await subscription.close();
  });
});

describe('a charger that was deleted and recreated', () => {
  it('70. never gets messages of its predecessor that were in flight', async () => {
    const connection = await world.connect(charger);
    await connection.report('StatusNotification', statusOf('Available'), { incarnationId: 'another' });
    await connection.send('disconnected', { incarnationId: 'another' });
    const record = await world.read(charger);
    expect(record.reported.sockets).toEqual({});
    expect(record.connection.active).toBe(true);
    expect(await world.log(charger)).toEqual([]);
  });

  it('70. loses a socket that was admitted while it was being deleted', async () => {
    const asked: CloseConnection[] = [];
    const elsewhere = createId();
    const subscription = await world.platform.broker.respond(channels.closings, elsewhere, (request) => {
      asked.push(request);
      return Promise.resolve({ connectionId: request.connectionId, wasOpen: true });
    });
    const connection = await world.connect(charger, { gatewayId: elsewhere });
    await connection.send('connected', { incarnationId: 'another', connectionId: 'of-the-deleted' });
    await eventually(() => asked.length > 0);
    const { chargerId } = charger;
    expect(asked).toEqual([{ chargerId, connectionId: 'of-the-deleted', reason: 'deleted' }]);
    await subscription.close();
  });
});

describe('a gateway without a lease', () => {
  it('leaves the charger disconnected when its id is dead, and its reports are stored', async () => {
    const dead = createId();
    await world.platform.store
      .collection<{ _id: string; gatewayId: string; state: string; at: string }>(gateways())
      .insert({ _id: dead, gatewayId: dead, state: 'dead', at: new Date().toISOString() });
    // The renewal makes this replica look the id up.
    const answers: string[] = [];
    const subscription = await world.platform.broker.receive(channels.leaseAnswers, dead, ({ state }) => {
      answers.push(state);
    });
    world.platform.broker.broadcast(channels.leases, { gatewayId: dead });
    await eventually(() => answers.includes('dead'));
    await subscription.close();
    await world.connect(charger, { gatewayId: dead });
    expect((await world.read(charger)).connection).toMatchObject({ active: false, gatewayId: dead });
  });
});

describe('a message that fails by its own fault', () => {
  it('is dead-lettered after five attempts, and the messages beside it are stored', async () => {
    const connection = await world.connect(charger);
    const good = connection.report('Heartbeat', {});
    // It passed every check of the gateway, yet no handler can read it.
    const bad = connection.report('MeterValues', { connectorId: 1, meterValue: null });
    const after = connection.report('StatusNotification', statusOf('Available'));
    await Promise.all([good, bad, after]);
    expect((await world.read(charger)).reported.sockets['1']).toMatchObject({ state: 'Available' });
    const letters = createDeadLetterStore(world.platform.store);
    expect(await letters.list(10)).toMatchObject([{ deadLetterId: (await bad).id, action: 'MeterValues' }]);
    expect(world.logger.lines.filter((line) => line.level === 'error')).toMatchObject([
      { fields: { correlationId: (await bad).id, action: 'MeterValues' } },
    ]);
  });

  it('creates its rows when it is replayed behind later ones, and leaves the record unchanged', async () => {
    const connection = await world.connect(charger);
    await connection.report('Heartbeat', {}, { seq: 20 });
    const before = await world.read(charger);
    const replayed = await connection.report('StatusNotification', statusOf('Charging'), { seq: 10 });
    expect(await world.read(charger)).toEqual(before);
    expect((await world.log(charger)).map(({ rowId }) => rowId)).toContain(replayed.id);
    const day = { from: '2000-01-01T00:00:00.000Z', to: '2100-01-01T00:00:00.000Z', chargerIds: [charger.chargerId] };
    expect(await world.platform.records.history.countStates(world.clientId, day)).toMatchObject([
      { state: 'Charging', count: 1 },
    ]);
  });
});

function gateways() {
  const definition = allCollections.find(({ name }) => name === 'gateways');
  if (definition === undefined) throw new Error('no collection of gateways');
  return definition as never;
}

describe('a message of a newer version', () => {
  it.each([
    ['a newer version', { v: REPORT_VERSION + 1 }],
    ['an unknown kind', { kind: 'a newer kind' as never }],
  ])('stays in its partition with the messages behind it, counted, logged once: %s', async (_, newer) => {
    const own = await openWorld();
    const known = await own.register();
    const connection = await own.connect(known);
    const before = await connection.report('StatusNotification', statusOf('Preparing'));
    const messages = [newer, {}].map((more, n) => {
      const published = connection.publish({ ...before, id: createId(), seq: before.seq + 1 + n, ...more });
      // Never confirmed: no replica of this version stores it.
      published.catch(() => undefined);
      return published;
    });
    const met = () => own.metric('busbar_state_newer_bodies_total{queue="reports"}');
    await eventually(async () => (await met()) > 0);
    expect(messages).toHaveLength(2);
    expect(await own.platform.broker.depth(channels.reports, partitionOf(known.chargerId, PARTITIONS))).toBe(2);
    expect(await createDeadLetterStore(own.platform.store).count()).toBe(0);
    expect(await own.log(known)).toHaveLength(1);
    const warned = own.logger.lines.filter(({ level }) => level === 'warn');
    expect(warned).toMatchObject([{ fields: { reason: `version ${String(REPORT_VERSION + 1)}` } }]);
    // The other partitions continue.
    const others = await Promise.all(Array.from({ length: 12 }, () => own.register()));
    const partition = (chargerId: string) => partitionOf(chargerId, PARTITIONS);
    const other = others.find(({ chargerId }) => partition(chargerId) !== partition(known.chargerId));
    if (other !== undefined) await (await own.connect(other)).report('Heartbeat', {});
    await own.close();
  });
});
