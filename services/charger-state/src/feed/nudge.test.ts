// Events that an API appends to a record, while the owner of the partition has an older copy of it in its cache.
import { nudgeOf, type FeedEvent, type ReportEnvelope } from '@busbar/contracts';
import { createId, systemClock } from '@busbar/core';
import { updateCharger, type Charger } from '@busbar/domain/chargers';
import {
  createFeedPages,
  createFeedReader,
  createRecords,
  createReportStore,
  createWaitingChargers,
} from '@busbar/store';
import { connectionsToClose } from '../pipeline/closings';
import { openWorld, type ChargerStateWorld } from '../testing/open-world';
import { createReplica, type Replica } from '../testing/replica';
import { newReport } from '../testing/report';
import { createBatchEvents } from './batch-events';
import { createFeedOwner } from './feed-owner';

let world: ChargerStateWorld;
let charger: Charger;
let replica: Replica;
let seq: number;

beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  charger = await world.register();
  seq = 0;
  const { store } = world.platform;
  const reports = createReportStore(store);
  const owner = createFeedOwner({ partition: 0, pages: createFeedPages(store), reports, clock: systemClock });
  const createEvents = () => createBatchEvents(() => null);
  replica = createReplica(world, {
    feed: { owner, readSites: () => undefined, createEvents, onStored: () => undefined },
  });
});

const nudge = (): ReportEnvelope => nudgeOf(charger, createId(), new Date());

function status(state: string): ReportEnvelope {
  const { chargerId, incarnationId } = charger;
  const payload = { connectorId: 1, status: state, errorCode: 'NoError' };
  const place = { chargerId, incarnationId, order: 1, seq: (seq += 1) };
  return newReport({ ...place, kind: 'report', action: 'StatusNotification', payload });
}

/** As an API does. */
async function rename(name: string): Promise<void> {
  const { store } = world.platform;
  const records = createRecords(store, systemClock, () => undefined);
  const { clientId, chargerId } = charger;
  await updateCharger({ ...records, clock: systemClock }, { clientId, chargerId }, { name });
}

async function eventsOf(): Promise<string[]> {
  const { clientId, chargerId } = charger;
  const pages = await createFeedReader(world.platform.store).pagesAfter({ clientId, partition: 0, page: 0 }, 100);
  const events = pages.flatMap((page) => JSON.parse(page.events) as FeedEvent[]);
  const own = events.filter((event) => event.chargerId === chargerId);
  expect(own.map(({ sequence }) => sequence)).toEqual(own.map((_event, n) => n + 1));
  return own.map(({ type }) => type);
}

it('numbers appended events at a nudge, once, though the cache does not have them', async () => {
  await replica(status('Available'));
  const before = await eventsOf();
  await rename('Second');
  await replica(nudge(), nudge());
  await replica(nudge());
  expect(await eventsOf()).toEqual([...before, 'charger.updated']);
  const { outbox, applied, reported } = await world.read(charger);
  expect(outbox).not.toHaveProperty('others');
  expect(applied).toEqual([[1, 1]]);
  expect(reported.lastPosition).toEqual([1, 1]);
  expect(await world.log(charger)).toHaveLength(1);
  const waiting = await createWaitingChargers(world.platform.store).before('2999-01-01T00:00:00.000Z', 10);
  expect(waiting).toEqual([]);
});

it('numbers appended events before those of the next message, without a nudge', async () => {
  await replica(status('Available'));
  const before = await eventsOf();
  await rename('Second');
  await replica(status('Charging'));
  expect((await eventsOf()).slice(before.length)).toEqual(['charger.updated', 'socket.state_changed']);
});

it('numbers appended events of a charger that never sent a message', async () => {
  await rename('Second');
  const [applied] = await replica(nudge());
  expect(applied).toMatchObject({ isNew: false });
  expect(await eventsOf()).toEqual(['charger.created', 'charger.updated']);
});

it('closes no connection at the nudge of a deleted charger', async () => {
  charger = { ...charger, chargerId: 'deleted' };
  const [applied] = await replica(nudge());
  expect(applied?.charger).toBeUndefined();
  expect(applied && connectionsToClose(applied)).toEqual([]);
});
