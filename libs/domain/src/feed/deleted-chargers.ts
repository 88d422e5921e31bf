// What a deleted charger leaves until its last events are in the feed.
import type { Charger } from '../chargers/charger';
import type { Timestamp } from '../timestamp';
import type { FeedPage } from './feed-store';
import type { WaitingCharger } from './outbox';

/**
 * A deleted charger, by its incarnation. It is written before the record is deleted, at the record's revision. As stored in
 * `deletedChargers` (shortened):
 *
 *     { "_id": "01J9Z3N5V7C8R2K4M6P8Q0S2T4", "deletedAt": "2026-01-31T12:00:00.000Z", "isLast": false,
 *       "charger": { "chargerId": "ACME_1", "revision": 42, "outbox": {…}, … } }
 */
export interface DeletedCharger {
  /** Its record as it was deleted. Its outbox changes as that of a record does, and with it the revision. */
  readonly charger: Charger;
  readonly deletedAt: Timestamp;
  /** Its outbox has the charger's last event. */
  readonly isLast: boolean;
}

export interface DeletedChargerChange {
  readonly from: DeletedCharger;
  readonly to: DeletedCharger;
}

/** For the owner of a partition. */
export interface DeletedChargers {
  find(incarnationIds: readonly string[]): Promise<readonly DeletedCharger[]>;
  /** Changes outboxes by compare-and-set on the revision, together with the pages that they name. */
  write(changes: readonly DeletedChargerChange[], pages: readonly FeedPage[]): Promise<'written' | 'conflict'>;
  /** Removes those whose last event is in the feed. */
  remove(deleted: readonly DeletedCharger[]): Promise<void>;
  /**
   * Removes one whose charger was not deleted after all. A deletion that is still in progress at this revision fails then, and
   * begins again.
   */
  withdraw(deleted: DeletedCharger): Promise<void>;
  /** Those that were deleted before, at most `limit`, the oldest first. */
  before(at: Timestamp, limit: number): Promise<readonly WaitingCharger[]>;
}
