// Finds one event of a feed by its id. Pages have no index of their events, but the sequence of a charger grows with their numbers.
import { partitionOf, type FeedEvent } from '@busbar/contracts';
import { AppError, isUlid } from '@busbar/core';
import type { ConnectionReader } from '../chargers/connections/connection-record';
import { streamCount, type FeedIdentity } from './feed-cursor';
import type { FeedReader, FeedStream } from './feed-store';

export interface FindEventDeps {
  readonly feed: FeedReader;
  readonly connectionHistory: ConnectionReader;
}

interface WantedEvent {
  /** The incarnation of a charger, or the id of a webhook. */
  readonly ofId: string;
  readonly sequence: number;
}

/** `highest` of so many pages is read at once. */
const PAGES_PROBED = 500;
const PREFIX = 'evt_';
const WEBHOOK_ID = /^wh_[A-Za-z0-9-]+$/;
const MAX_DIGITS = 15;

/**
 * An event of this client. Throws `not_found` where there is none with the id, or it was deleted by age. Reads some
 * pages, of a charger without a known connection up to all numbers of the client.
 */
export async function findEvent(deps: FindEventDeps, clientId: string, eventId: string): Promise<FeedEvent> {
  const wanted = wantedBy(eventId);
  const identity = await deps.feed.identity();
  if (wanted !== undefined && identity !== undefined) {
    for (const partition of await streamsOf(deps, wanted, identity)) {
      const page = await findPage(deps.feed, { clientId, partition }, wanted);
      if (page === undefined) continue;
      const [found] = await deps.feed.pagesOf([{ clientId, partition, page }]);
      const event = (JSON.parse(found?.events ?? '[]') as FeedEvent[]).find(({ id }) => id === eventId);
      if (event !== undefined) return event;
    }
  }
  throw new AppError('not_found', `There is no event ${eventId}, or it was deleted by age.`);
}

/** What the id of an event names: the incarnation of a charger, or a webhook. Undefined where it is no such id. */
export function eventOwnerOf(eventId: string): string | undefined {
  return wantedBy(eventId)?.ofId;
}

function wantedBy(eventId: string): WantedEvent | undefined {
  const end = eventId.lastIndexOf('_');
  const ofId = eventId.slice(PREFIX.length, end);
  const sequence = eventId.slice(end + 1);
  const number = Number(sequence);
  const isId = eventId.startsWith(PREFIX) && (isUlid(ofId) || WEBHOOK_ID.test(ofId));
  if (!isId || sequence.length > MAX_DIGITS || String(number) !== sequence) return undefined;
  return { ofId, sequence: number };
}

/** The streams of all partitions for a charger that is deleted, or has never been connected. */
async function streamsOf(
  { connectionHistory }: Pick<FindEventDeps, 'connectionHistory'>,
  { ofId }: WantedEvent,
  identity: FeedIdentity,
): Promise<readonly number[]> {
  const count = identity.partitions;
  if (!isUlid(ofId)) return [streamCount(identity) - 1];
  const newest = { page: 1, limit: 1, sortKey: 'connectedAt', sortDescending: true } as const;
  const [connection] = (await connectionHistory.list(ofId, {}, newest)).items;
  if (connection !== undefined) return [partitionOf(connection.chargerId, count)];
  return Array.from({ length: count }, (_, partition) => partition);
}

/** The first page whose highest sequence is not below the wanted one, by binary search. */
async function findPage(
  feed: FeedReader,
  stream: FeedStream,
  { ofId, sequence }: WantedEvent,
): Promise<number | undefined> {
  let [low, high] = await Promise.all([feed.firstPage(stream), feed.lastPage(stream)]);
  let candidate: number | undefined;
  while (low <= high && high > 0) {
    const middle = Math.floor((low + high) / 2);
    const probe = await firstWith(feed, stream, { ofId, from: middle, to: high });
    if (probe === undefined) high = middle - 1;
    else if (probe.sequence < sequence) low = probe.page + 1;
    else {
      candidate = probe.page;
      high = middle - 1;
    }
  }
  return candidate;
}

/** The first page of a range that has events of it, with the highest sequence of them. */
async function firstWith(
  feed: FeedReader,
  stream: FeedStream,
  { ofId, from, to }: { readonly ofId: string; readonly from: number; readonly to: number },
): Promise<{ readonly page: number; readonly sequence: number } | undefined> {
  let after = from - 1;
  while (after < to) {
    const found = await feed.highestAfter({ ...stream, page: after }, Math.min(PAGES_PROBED, to - after));
    for (const { page, highest } of found) {
      if (page > to) return undefined;
      const sequence = (JSON.parse(highest) as Readonly<Record<string, number>>)[ofId];
      if (sequence !== undefined) return { page, sequence };
    }
    const last = found.at(-1);
    if (last === undefined) return undefined;
    after = last.page;
  }
  return undefined;
}
