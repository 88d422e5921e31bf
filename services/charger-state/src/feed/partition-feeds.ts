// The feeds of the partitions that this replica consumes. What they remember of pages begins anew with each time that a partition is
// taken, since another replica may have written pages meanwhile.
import type { Broker } from '@busbar/broker';
import { channels } from '@busbar/contracts';
import type { Clock } from '@busbar/core';
import type { DeletedChargers, FeedPage, FeedPages } from '@busbar/domain/feed';
import type { ReportStore } from '@busbar/domain/reports';
import type { ChargerStateMetrics } from '../charger-state-metrics';
import { createBatchEvents, type BatchEvents } from './batch-events';
import type { BatchFeed } from './batch-feed';
import { createFeedOwner } from './feed-owner';
import type { SiteIds } from './site-ids';

export interface PartitionFeedsDeps {
  readonly broker: Pick<Broker, 'broadcast'>;
  readonly pages: FeedPages;
  readonly deleted: DeletedChargers;
  readonly reports: ReportStore;
  readonly siteIds: SiteIds;
  readonly clock: Clock;
  readonly metrics: Pick<ChargerStateMetrics, 'events' | 'eventPages' | 'eventsCollapsed'>;
}

export interface PartitionFeeds {
  of(partition: number): BatchFeed;
  /** This replica begins to consume the partition. */
  begin(partition: number): void;
}

export function createPartitionFeeds(deps: PartitionFeedsDeps): PartitionFeeds {
  const { siteIds, metrics, broker } = deps;
  const feeds = new Map<number, BatchFeed>();
  const createEvents = (): BatchEvents => createBatchEvents(siteIds.externalId);

  function onStored(
    pages: readonly FeedPage[],
    { counts, collapsed }: Pick<BatchEvents, 'counts' | 'collapsed'>,
  ): void {
    for (const [type, count] of counts) metrics.events.inc({ type }, count);
    metrics.eventPages.inc({}, pages.length);
    const lost = collapsed();
    if (lost > 0) metrics.eventsCollapsed.inc({}, lost);
    for (const { clientId, partition, page } of pages) {
      broker.broadcast(channels.eventPages, { clientId, partition, page });
    }
  }

  function open(partition: number): BatchFeed {
    const { pages, reports, clock, deleted } = deps;
    const owner = createFeedOwner({ partition, pages, reports, clock });
    const feed: BatchFeed = { owner, deleted, readSites: siteIds.read, createEvents, onStored };
    feeds.set(partition, feed);
    return feed;
  }

  return {
    of: (partition) => feeds.get(partition) ?? open(partition),
    begin: (partition) => void open(partition),
  };
}
