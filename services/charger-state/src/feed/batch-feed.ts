// The feed of one partition, as the pipeline uses it.
import type { Charger } from '@busbar/domain/chargers';
import type { DeletedChargers, FeedPage } from '@busbar/domain/feed';
import { NO_EVENTS, type BatchEvents } from './batch-events';
import { NO_PAGES, type FeedOwner } from './feed-owner';

export interface BatchFeed {
  readonly owner: FeedOwner;
  /** Absent: no charger leaves last events. */
  readonly deleted?: DeletedChargers;
  /** Reads the external ids of the chargers' sites, which the events show. */
  readonly readSites: (chargers: Iterable<Charger>) => Promise<void> | undefined;
  /** For one attempt to fold a batch. */
  readonly createEvents: () => BatchEvents;
  /** Pages with the events of a batch are in the store. */
  readonly onStored: (pages: readonly FeedPage[], events: Pick<BatchEvents, 'counts' | 'collapsed'>) => void;
}

/** Writes nothing. */
export const NO_FEED: BatchFeed = {
  owner: {
    recover: (loaded) => Promise.resolve(loaded),
    plan: () => Promise.resolve(NO_PAGES),
    stored: () => undefined,
    forget: () => undefined,
  },
  readSites: () => undefined,
  createEvents: () => NO_EVENTS,
  onStored: () => undefined,
};
