// The feed of one client, for all that read it: positions, their cursors, and the events behind a position.
import type { FeedEvent } from '@busbar/contracts';
import { AppError } from '@busbar/core';
import { invalidInput } from '../invalid-input';
import { formatFeedCursor, parseFeedCursor, streamCount, type FeedIdentity, type FeedPosition } from './feed-cursor';
import type { FeedPage, FeedPageId, FeedReader } from './feed-store';

/** The part of `FeedReader` that reading from the store needs. */
export type PageReader = Pick<FeedReader, 'identity' | 'firstPage' | 'lastPage' | 'pagesOf'>;

/** Pages of one read, of all partitions: the first time, and where pages are small. A full page has about a MiB. */
const FIRST_READ = 16;
const LARGEST_READ = 64;
/** Characters that one read should give. */
const READ_CHARACTERS = 2_000_000;
/** Characters of the events of one result. */
const MAX_CHARACTERS = 4_000_000;
const RETRY_AFTER_S = 5;

export interface ReadOptions {
  readonly wants: (event: FeedEvent) => boolean;
  /** Events. */
  readonly limit: number;
  readonly maxPages: number;
  /** The last page of each stream that is read. Default: all that are stored. */
  readonly until?: readonly number[];
  /** Reading ends with the page that goes beyond. Default: four million. */
  readonly maxCharacters?: number;
}

export interface FeedSlice {
  readonly events: readonly FeedEvent[];
  /** Behind each event. */
  readonly positions: readonly FeedPosition[];
  /** Behind the last event, and all that was not wanted before the next one. */
  readonly position: FeedPosition;
  /** Whether pages up to the end were left unread. */
  readonly hasMore: boolean;
}

export interface ClientFeed {
  readonly clientId: string;
  readonly identity: FeedIdentity;
  /** Before the oldest event that is stored. */
  oldest(): Promise<FeedPosition>;
  /** Behind the newest event. */
  newest(): Promise<FeedPosition>;
  format(position: FeedPosition): string;
  /** `cursor_expired`, with the cursor of the oldest event. */
  expired(): Promise<AppError>;
  /**
   * Throws `invalid_request` with the name of the field for a text that is no cursor of this client, and `cursor_expired` for one of
   * another generation.
   */
  parse(text: string, field: string): Promise<FeedPosition>;
  /** Throws `cursor_expired` where the next page was deleted by age. */
  read(from: FeedPosition, options: ReadOptions): Promise<FeedSlice>;
}

/** Throws `unavailable` before the first start of charger-state on the store. */
export async function openClientFeed(feed: PageReader, clientId: string): Promise<ClientFeed> {
  const identity = await feed.identity();
  if (identity === undefined) {
    throw new AppError('unavailable', 'The feed of events begins with the first start of charger-state. Retry later.', {
      details: { retryAfterS: RETRY_AFTER_S },
    });
  }
  /** Pages that are read together: more of small ones, so that a feed of many small pages is read as fast as one of few large ones. */
  let together = FIRST_READ;
  const partitions = Array.from({ length: streamCount(identity) }, (_, partition) => partition);
  const eachPartition = (read: (partition: number) => Promise<number>) => Promise.all(partitions.map(read));
  const lastPages = () => eachPartition((partition) => feed.lastPage({ clientId, partition }));

  async function oldest(): Promise<FeedPosition> {
    const first = await eachPartition((partition) => feed.firstPage({ clientId, partition }));
    return { pages: first.map((page) => Math.max(0, page - 1)), next: 0, taken: 0 };
  }

  async function expired(): Promise<AppError> {
    const message = 'This cursor is older than the oldest stored event, or of before a restore. Continue with oldest.';
    return new AppError('cursor_expired', message, { details: { oldest: format(await oldest()) } });
  }

  const format = (position: FeedPosition): string => formatFeedCursor(clientId, identity, position);

  return {
    clientId,
    identity,
    oldest,
    newest: async () => ({ pages: await lastPages(), next: 0, taken: 0 }),
    format,
    expired,
    async parse(text, field) {
      const parsed = parseFeedCursor(text, clientId, identity);
      if (parsed === 'expired') throw await expired();
      if (parsed !== 'invalid') return parsed;
      const message = 'is no cursor of the feed of this client';
      throw invalidInput(`${field} ${message}.`, { field, message });
    },
    async read(from, options) {
      const until = options.until ?? (await lastPages());
      const reading = createReading(from, until, options);
      while (!reading.isFull()) {
        const turns = reading.turns(together);
        if (turns.length === 0) break;
        const found = await feed.pagesOf(turns.flatMap((turn) => idsOf(clientId, turn)));
        const characters = found.reduce((sum, { events }) => sum + events.length, 1);
        together = Math.min(LARGEST_READ, Math.max(1, Math.floor((READ_CHARACTERS * found.length) / characters)));
        for (const { partition, after } of turns) {
          if (reading.isFull()) break;
          const pages = withoutGap(found, partition, after);
          const isMissing = pages.length === 0;
          if (isMissing && (await feed.firstPage({ clientId, partition })) > after + 1) throw await expired();
          reading.add(partition, pages);
        }
      }
      return reading.result();
    },
  };
}

interface Turn {
  readonly partition: number;
  readonly after: number;
  readonly limit: number;
}

function idsOf(clientId: string, { partition, after, limit }: Turn): FeedPageId[] {
  return Array.from({ length: limit }, (_, n) => ({ clientId, partition, page: after + 1 + n }));
}

/** The pages of the partition behind a number; a missing one ends them. */
function withoutGap(found: readonly FeedPage[], partition: number, after: number): readonly FeedPage[] {
  const own = found.filter((page) => page.partition === partition);
  const gap = own.findIndex(({ page }, n) => page !== after + 1 + n);
  return gap === -1 ? own : own.slice(0, gap);
}

/** Takes partitions in turn, some pages each, so that one with many events does not hold the others up. */
function createReading(from: FeedPosition, until: readonly number[], options: ReadOptions) {
  const { wants, limit, maxPages, maxCharacters = MAX_CHARACTERS } = options;
  const pages = [...from.pages];
  let { next, taken } = from;
  const events: FeedEvent[] = [];
  const positions: FeedPosition[] = [];
  let characters = 0;
  let pagesLeft = maxPages;
  /** Partitions with a missing page: reading ends before it. */
  const ended = new Set<number>();
  const count = pages.length;
  const isBehind = (partition: number): boolean =>
    !ended.has(partition) && (pages[partition] ?? 0) < (until[partition] ?? 0);
  const isFull = (): boolean => events.length >= limit || pagesLeft <= 0 || characters >= maxCharacters;

  function advance(partition: number, page: number): void {
    pages[partition] = page;
    taken = 0;
    pagesLeft -= 1;
  }

  function placeAt(partition: number, page: number, length: number): FeedPosition {
    if (taken < length) return { pages: [...pages], next: partition, taken };
    return { pages: pages.with(partition, page), next: partition, taken: 0 };
  }

  /** Returns whether the page was read completely. */
  function take(
    partition: number,
    { page, events: text }: { readonly page: number; readonly events: string },
  ): boolean {
    const all = JSON.parse(text) as FeedEvent[];
    characters += text.length;
    for (const event of all.slice(taken)) {
      taken += 1;
      if (!wants(event)) continue;
      positions.push(placeAt(partition, page, all.length));
      if (events.push(event) >= limit) break;
    }
    if (taken < all.length) return false;
    advance(partition, page);
    return true;
  }

  return {
    isFull,
    /** The next pages of the partitions in turn: `total` of them, or one of each where that is more. */
    turns(total: number): readonly Turn[] {
      const order = Array.from({ length: count }, (_, n) => (next + n) % count).filter(isBehind);
      if (order[0] !== next) taken = 0;
      const each = Math.max(1, Math.floor(total / Math.max(1, order.length)));
      let left = pagesLeft;
      return order.flatMap((partition) => {
        const after = pages[partition] ?? 0;
        // Only the rest of a page that was begun: then it is the turn of the others.
        const isBegun = partition === next && taken > 0;
        const own = Math.min(isBegun ? 1 : each, left, (until[partition] ?? 0) - after);
        left -= own;
        return own > 0 ? [{ partition, after, limit: own }] : [];
      });
    },
    add(partition: number, found: readonly { readonly page: number; readonly events: string }[]): void {
      next = partition;
      if (found.length === 0) {
        ended.add(partition);
        taken = 0;
      }
      for (const page of found) {
        if (isFull()) break;
        if (!take(partition, page)) return;
      }
      next = (partition + 1) % count;
    },
    result(): FeedSlice {
      const hasMore = pages.some((_, partition) => isBehind(partition));
      return { events, positions, position: { pages, next, taken }, hasMore };
    },
  };
}
