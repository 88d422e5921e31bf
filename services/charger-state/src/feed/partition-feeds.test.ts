// The feeds of a replica's partitions: what others learn of new pages, and what is forgotten when a partition is taken again.
import { channels, type ReportEnvelope } from '@busbar/contracts';
import { systemClock } from '@busbar/core';
import type { Charger } from '@busbar/domain/chargers';
import type { FeedPages } from '@busbar/domain/feed';
import type { ReportStore } from '@busbar/domain/reports';
import { createMetrics } from '@busbar/runtime';
import {
  createDeletedChargers,
  createFeedPages,
  createFeedReader,
  createRecords,
  createReportStore,
} from '@busbar/store';
import { createChargerStateMetrics } from '../charger-state-metrics';
import { openWorld, type ChargerStateWorld } from '../testing/open-world';
import { createReplica } from '../testing/replica';
import { newReport } from '../testing/report';
import { createPartitionFeeds, type PartitionFeeds } from './partition-feeds';
import { createSiteIds } from './site-ids';

const PARTITION = 3;

let world: ChargerStateWorld;
let charger: Charger;
let seq: number;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  charger = await world.register();
  seq = 0;
});

interface OpenFeeds {
  readonly feeds: PartitionFeeds;
  /** What was broadcast. */
  readonly hints: unknown[];
  /** The reads of the last page's number. */
  readonly reads: unknown[];
  /** What became of each write of a batch. */
  readonly writes: string[];
  metrics(): Promise<string>;
  apply(...batch: readonly ReportEnvelope[]): Promise<unknown>;
}

/** Those of one more replica on the world's store. */
function openFeeds(): OpenFeeds {
  const { store } = world.platform;
  const stored = createFeedPages(store);
  const hints: unknown[] = [];
  const reads: unknown[] = [];
  const writes: string[] = [];
  const reports = createReportStore(store);
  const observed: ReportStore = {
    ...reports,
    async write(...written) {
      const outcome = await reports.write(...written);
      writes.push(outcome);
      return outcome;
    },
  };
  const metrics = createMetrics();
  const pages: FeedPages = {
    highestIn: (ids) => stored.highestIn(ids),
    lastPage(stream) {
      reads.push(stream);
      return stored.lastPage(stream);
    },
  };
  const { sites } = createRecords(store, systemClock, () => undefined);
  const feeds = createPartitionFeeds({
    broker: { broadcast: (channel, hint) => void hints.push([channel, hint]) },
    pages,
    deleted: createDeletedChargers(store),
    reports,
    siteIds: createSiteIds({ sites, clock: systemClock }),
    clock: systemClock,
    metrics: createChargerStateMetrics(metrics),
  });
  return {
    feeds,
    hints,
    reads,
    writes,
    metrics: () => metrics.text(),
    // A new cache each time, as of a replica that takes the partition.
    apply: (...batch) => createReplica(world, { reports: observed, feed: feeds.of(PARTITION) })(...batch),
  };
}

function status(state: string): ReportEnvelope {
  const { chargerId, incarnationId } = charger;
  const payload = { connectorId: 1, status: state, errorCode: 'NoError' };
  const place = { chargerId, incarnationId, order: 1, seq: (seq += 1) };
  return newReport({ ...place, kind: 'report', action: 'StatusNotification', payload });
}

async function lastPage(): Promise<number> {
  return createFeedReader(world.platform.store).lastPage({ clientId: charger.clientId, partition: PARTITION });
}

it('broadcasts each new page, and counts pages and events by type', async () => {
  const { apply, hints, metrics } = openFeeds();
  await apply(status('Available'));
  const { clientId } = charger;
  expect(hints).toEqual([[channels.eventPages, { clientId, partition: PARTITION, page: await lastPage() }]]);
  const text = await metrics();
  expect(text).toContain('busbar_event_pages_total 1');
  expect(text).toContain('busbar_events_total{type="socket.state_changed"} 1');
  expect(text).not.toMatch(/busbar_events_collapsed_total [1-9]/);
});

it('broadcasts and counts nothing for a batch that is delivered again', async () => {
  const { apply, hints, metrics } = openFeeds();
  const report = status('Available');
  await apply(report);
  await apply(report);
  expect(hints).toHaveLength(1);
  expect(await metrics()).toContain('busbar_event_pages_total 1');
});

it('remembers the last page while it owns the partition, and reads it again when it takes the partition again', async () => {
  const own = openFeeds();
  await own.apply(status('Available'));
  own.reads.length = 0;
  await own.apply(status('Preparing'));
  expect(own.reads).toEqual([]);
  const before = await lastPage();
  const { chargerId, incarnationId } = await world.register();
  await openFeeds().apply({ ...status('Charging'), chargerId, incarnationId });
  expect(await lastPage()).toBe(before + 1);
  own.feeds.begin(PARTITION);
  own.writes.length = 0;
  await own.apply(status('Finishing'));
  expect(own.reads).toHaveLength(1);
  // Not a number first that the other replica's page has.
  expect(own.writes).toEqual(['written']);
  expect(await lastPage()).toBe(before + 2);
});

it('shares no memory between partitions', () => {
  const { feeds } = openFeeds();
  expect(feeds.of(1)).toBe(feeds.of(1));
  expect(feeds.of(1)).not.toBe(feeds.of(2));
});
