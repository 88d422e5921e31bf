// The ports of the feed: pages, which the owner of a partition writes and readers read in order.
import type { Timestamp } from '../timestamp';
import type { FeedIdentity } from './feed-cursor';

/** The pages of one client that one writer writes, numbered 1, 2, 3 … without a gap. */
export interface FeedStream {
  readonly clientId: string;
  /** The number of partitions itself: the stream of events that belong to no charger. */
  readonly partition: number;
}

export interface FeedPageId extends FeedStream {
  readonly page: number;
}

/**
 * Events that were stored together. As stored in `feedPages` (shortened):
 *
 *     { "_id": "c_k3Jd8sQ1xZ0p/003/000000000042", "clientId": "c_k3Jd8sQ1xZ0p", "partition": 3, "page": 42,
 *       "at": "2026-01-31T12:00:00.000Z", "highest": "{\"01J9Z3N5V7C8R2K4M6P8Q0S2T4\":830}", "count": 2,
 *       "events": "[{\"id\":\"evt_01J9Z3N5V7C8R2K4M6P8Q0S2T4_829\",…},{…}]" }
 */
export interface FeedPage extends FeedPageId {
  /** When it was written. */
  readonly at: Timestamp;
  /** JSON: the highest sequence of each charger in it, by incarnation; of a webhook's own events, by webhook. Text, so that it can be read without the events. */
  readonly highest: string;
  /** The number of events. */
  readonly count: number;
  /** A JSON array of events, in the order of their charger's sequence. */
  readonly events: string;
}

/** For the owner of a partition. */
export interface FeedPages {
  /** The number of the last page, whether or not pages before it were deleted by age. 0 where there is none. */
  lastPage(stream: FeedStream): Promise<number>;
  /** The highest sequence by incarnation, of each page that is stored, by `feedPageKey`. One read. */
  highestIn(ids: readonly FeedPageId[]): Promise<ReadonlyMap<string, Readonly<Record<string, number>>>>;
}

/** For services/push, which writes the stream of events that belong to no charger. */
export interface FeedPageWriter {
  /** False where a page of that number exists. */
  insert(page: FeedPage): Promise<boolean>;
}

/** For readers, who read page n+1 only after n. */
export interface FeedReader extends Pick<FeedPages, 'lastPage'> {
  /** Undefined before the first start on the store. */
  identity(): Promise<FeedIdentity | undefined>;
  /**
   * The last page of each stream of a client, by stream, where it is behind the known one; else the known one. One read of at most some
   * hundred ids: where there are more, some streams keep the known page until the next call.
   */
  lastPages(clientId: string, known: readonly number[]): Promise<number[]>;
  /** Pages that were written before this time may be deleted by age, later ones are not. Undefined where nobody has noted it. */
  prunedBefore(): Promise<Timestamp | undefined>;
  /** The number of the oldest page that is not deleted. 0 where there is none. */
  firstPage(stream: FeedStream): Promise<number>;
  /** Up to `limit` pages behind a number, without a gap: a missing number ends the list. */
  pagesAfter(from: FeedPageId, limit: number): Promise<FeedPage[]>;
  /** Those of these pages that are stored, in the order of their ids. One read by id, which costs the same however large the feed is. */
  pagesOf(ids: readonly FeedPageId[]): Promise<FeedPage[]>;
  /** When a page was written. Undefined where there is none of that number. */
  writtenAt(id: FeedPageId): Promise<Timestamp | undefined>;
  /** Number and `highest` of up to `limit` pages behind a number, ascending. */
  highestAfter(from: FeedPageId, limit: number): Promise<readonly Pick<FeedPage, 'page' | 'highest'>[]>;
}

/** The id of a page. Ids of a stream sort by number. */
export function feedPageKey({ clientId, partition, page }: FeedPageId): string {
  return `${feedStreamKey({ clientId, partition })}/${String(page).padStart(12, '0')}`;
}

export function feedStreamKey({ clientId, partition }: FeedStream): string {
  return `${clientId}/${String(partition).padStart(3, '0')}`;
}
