// The last events of a deleted charger, whatever happens between the deletion and its nudge.
import { nudgeOf, type FeedEvent, type ReportEnvelope } from '@busbar/contracts';
import { createId, systemClock } from '@busbar/core';
import type { Charger } from '@busbar/domain/chargers';
import type { DeletedChargers } from '@busbar/domain/feed';
import {
  collections,
  createDeletedChargers,
  createFeedPages,
  createFeedReader,
  createRecords,
  createReportStore,
  eq,
} from '@busbar/store';
import { openWorld, type ChargerStateWorld } from '../testing/open-world';
import { createReplica, type Replica } from '../testing/replica';
import { newReport } from '../testing/report';
import { createBatchEvents } from './batch-events';
import { createFeedOwner } from './feed-owner';

const LATER = '2999-01-01T00:00:00.000Z';

let world: ChargerStateWorld;
let charger: Charger;
let replica: Replica;
let seq: number;

beforeAll(async () => {
  world = await openWorld({ openCharging: true });
});
afterAll(() => world.close());
beforeEach(async () => {
  charger = await world.register();
  seq = 0;
  replica = replicaWith(deletedChargers());
});

const deletedChargers = (): DeletedChargers => createDeletedChargers(world.platform.store);
const nudge = (): ReportEnvelope => nudgeOf(charger, createId(), new Date());
const records = () => createRecords(world.platform.store, systemClock, () => undefined);

function replicaWith(deleted: DeletedChargers, { store } = world.platform): Replica {
  const owner = createFeedOwner({
    partition: 0,
    pages: createFeedPages(store),
    reports: createReportStore(store),
    clock: systemClock,
  });
  const createEvents = () => createBatchEvents(() => null);
  return createReplica(world, {
    feed: { owner, deleted, readSites: () => undefined, createEvents, onStored: () => undefined },
  });
}

function reportOf(kind: ReportEnvelope['kind'], action = '', payload: unknown = null): ReportEnvelope {
  const { chargerId, incarnationId } = charger;
  return newReport({ chargerId, incarnationId, order: 1, seq: (seq += 1), kind, action, payload });
}

const status = (state: string): ReportEnvelope =>
  reportOf('report', 'StatusNotification', { connectorId: 1, status: state, errorCode: 'NoError' });

/** As an API does. */
async function remove(): Promise<void> {
  const { chargerId } = charger;
  const found = await records().chargers.find(chargerId);
  if (found === undefined) throw new Error('there is no such charger');
  expect(await records().chargers.remove(found)).toBe(true);
}

async function eventsOf(): Promise<FeedEvent[]> {
  const { clientId, incarnationId } = charger;
  const pages = await createFeedReader(world.platform.store).pagesAfter({ clientId, partition: 0, page: 0 }, 100);
  const events = pages.flatMap((page) => JSON.parse(page.events) as FeedEvent[]);
  const own = events.filter(({ id }) => id.startsWith(`evt_${incarnationId}_`));
  expect(own.map(({ sequence }) => sequence)).toEqual(own.map((_event, n) => n + 1));
  return own;
}

const typesOf = async (): Promise<string[]> => (await eventsOf()).map(({ type }) => type);
const left = () => deletedChargers().before(LATER, 10);

it('are charger.disconnected of an active connection, and charger.deleted, once', async () => {
  await replica(reportOf('connected'), status('Available'));
  const before = await typesOf();
  await remove();
  await replica(nudge(), nudge());
  await replica(nudge());
  expect(await typesOf()).toEqual([...before, 'charger.disconnected', 'charger.deleted']);
  const [disconnected] = (await eventsOf()).slice(before.length);
  expect(disconnected?.data).toMatchObject({ reason: 'deleted', sockets: [{ socketId: 1, state: 'Offline' }] });
  expect(await left()).toEqual([]);
});

it('are the ends of its sessions in progress first, which are given up', async () => {
  const start = { connectorId: 1, idTag: 'T', meterStart: 0, timestamp: new Date().toISOString() };
  await replica(reportOf('connected'), reportOf('decision', 'StartTransaction', start));
  await remove();
  const { chargerId, incarnationId } = charger;
  await records().sessions.abandon(chargerId, incarnationId);
  await replica(nudge());
  await replica(nudge());
  const types = await typesOf();
  expect(types.slice(-3)).toEqual(['session.ended', 'charger.disconnected', 'charger.deleted']);
  expect(types.filter((type) => type === 'session.ended')).toHaveLength(1);
  const ended = (await eventsOf()).find(({ type }) => type === 'session.ended');
  expect(ended?.data).toMatchObject({ rfidTag: 'T', superseded: true, endTime: null });
});

it('is charger.deleted of a charger that never connected', async () => {
  await remove();
  await replica(nudge());
  expect(await typesOf()).toEqual(['charger.created', 'charger.deleted']);
});

it('follow the appended events of the record', async () => {
  const found = await records().chargers.find(charger.chargerId);
  await records().chargers.updateRegistration(found ?? charger, { name: 'Second' }, LATER);
  await remove();
  await replica(nudge());
  expect(await typesOf()).toEqual(['charger.created', 'charger.updated', 'charger.deleted']);
});

it('follow events that were stored with the record and are in no page, since a process was killed', async () => {
  const { store } = world.platform;
  const apart = { ...world.platform, store: { ...store, ordersWrites: false } };
  await replicaWith(deletedChargers(), apart)(status('Available'));
  const { clientId } = charger;
  await store.collection(collections.feedPages).delete(eq('clientId', clientId));
  await remove();
  await replicaWith(deletedChargers())(nudge());
  expect(await typesOf()).toEqual(['charger.created', 'socket.state_changed', 'charger.deleted']);
});

it('are written once where the process is killed between their page and the removal of the row', async () => {
  await remove();
  const killed = { ...deletedChargers(), remove: () => Promise.reject(new Error('killed')) };
  await expect(replicaWith(killed)(nudge())).rejects.toThrow('killed');
  expect(await left()).toHaveLength(1);
  await replicaWith(deletedChargers())(nudge());
  expect(await typesOf()).toEqual(['charger.created', 'charger.deleted']);
  expect(await left()).toEqual([]);
});

it('do not disturb a charger of the same id that was registered since', async () => {
  await replica(status('Available'));
  await remove();
  const former = charger;
  const again = nudge();
  charger = await world.register(former.chargerId);
  await replica(again, status('Charging'));
  expect(await typesOf()).toContain('socket.state_changed');
  charger = former;
  expect((await typesOf()).at(-1)).toBe('charger.deleted');
});

it('are not written for a charger whose deletion failed, and its deletion then needs the record as it is', async () => {
  const found = await records().chargers.find(charger.chargerId);
  if (found === undefined) throw new Error('there is no such charger');
  // Killed, or suspended, between the row and the deletion.
  const { store } = world.platform;
  const suspended = { ...store, collection: refusingDeletions(store) };
  await expect(createRecords(suspended, systemClock, () => undefined).chargers.remove(found)).rejects.toThrow('killed');
  expect(await left()).toHaveLength(1);
  await replica(nudge());
  expect(await typesOf()).toEqual(['charger.created']);
  expect(await left()).toEqual([]);
  // It continues with the record as it was read before.
  expect(await records().chargers.remove(found)).toBe(false);
  await remove();
  await replica(nudge());
  expect(await typesOf()).toEqual(['charger.created', 'charger.deleted']);
});

function refusingDeletions(store: ChargerStateWorld['platform']['store']): typeof store.collection {
  return (definition) => {
    const collection = store.collection(definition);
    if (definition.name !== collections.chargers.name) return collection;
    return { ...collection, delete: () => Promise.reject(new Error('killed')) };
  };
}
