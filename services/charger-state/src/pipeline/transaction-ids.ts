// Takes transaction ids for the starts of a batch, as far as their clients may begin transactions that day. A start is counted once,
// also where its batch is applied again.
import { type ReportStore } from '@busbar/domain/reports';
import { LRUCache } from 'lru-cache';
import type { IdTaker, StartRefusal } from './contract';

/** A start that was counted, and the id that was taken for it. */
interface CountedStart {
  readonly transactionId?: number;
}

/** Starts whose sessions may not be stored yet, by session id. */
export type CountedStarts = LRUCache<string, CountedStart>;

export interface TakeIdsDeps {
  readonly reports: Pick<ReportStore, 'takeTransactionIds' | 'takeClientStarts'>;
  readonly countedStarts: CountedStarts;
}

export interface WantedIds {
  readonly starts: ReadonlyMap<string, IdTaker | undefined>;
  /** Transactions that a client's chargers may begin in a day; 0: any number. */
  readonly maxClientStartsPerDay: number;
}

const MAX_COUNTED_STARTS = 20_000;

/** The memory of one replica, of at most `max` starts. A start that was evicted is counted again. */
export function createCountedStarts(max = MAX_COUNTED_STARTS): CountedStarts {
  return new LRUCache({ max });
}

/** An id for each start whose session is not stored, or why there is none. New ids ascend in the order of the starts. */
export async function takeTransactionIds(
  { starts, maxClientStartsPerDay }: WantedIds,
  stored: ReadonlySet<string>,
  { reports, countedStarts }: TakeIdsDeps,
): Promise<ReadonlyMap<string, number | StartRefusal>> {
  const wanted = new Map<string, IdTaker>();
  for (const [sessionId, taker] of starts) {
    if (stored.has(sessionId)) countedStarts.delete(sessionId);
    else if (taker !== undefined) wanted.set(sessionId, taker);
  }
  if (wanted.size === 0) return new Map();
  const uncounted = [...wanted].filter(([sessionId]) => !countedStarts.has(sessionId));
  const count = async ({ clientId, day, sessionIds, exceeding }: UncountedStarts): Promise<void> => {
    // Those that may be refused first.
    const all = [...sessionIds, ...exceeding];
    const limits = { count: all.length, max: maxClientStartsPerDay };
    const taken = limits.max === 0 ? limits.count : await reports.takeClientStarts(clientId, day, limits);
    for (const sessionId of [...all.slice(0, taken), ...exceeding]) countedStarts.set(sessionId, {});
  };
  await Promise.all(byClientAndDay(uncounted).map(count));
  await addIds([...wanted.keys()], { reports, countedStarts });
  return new Map([...wanted.keys()].map((sessionId) => [sessionId, idOf(countedStarts.get(sessionId))]));
}

function idOf(counted: CountedStart | undefined): number | StartRefusal {
  return counted === undefined ? 'too_many_client_starts' : (counted.transactionId ?? 'out_of_ids');
}

interface UncountedStarts extends Pick<IdTaker, 'clientId' | 'day'> {
  readonly sessionIds: string[];
  /** That get an id beyond the limit too. */
  readonly exceeding: string[];
}

function byClientAndDay(starts: readonly (readonly [sessionId: string, taker: IdTaker])[]): UncountedStarts[] {
  const groups = new Map<string, UncountedStarts>();
  for (const [sessionId, { clientId, day, mayExceed }] of starts) {
    const key = `${day} ${clientId}`;
    const group = groups.get(key) ?? { clientId, day, sessionIds: [], exceeding: [] };
    (mayExceed === true ? group.exceeding : group.sessionIds).push(sessionId);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** Takes ids for the starts that are counted and have none. */
async function addIds(sessionIds: readonly string[], { reports, countedStarts }: TakeIdsDeps): Promise<void> {
  const withoutId = sessionIds.filter((sessionId) => {
    const counted = countedStarts.get(sessionId);
    return counted !== undefined && counted.transactionId === undefined;
  });
  if (withoutId.length === 0) return;
  const firstId = await reports.takeTransactionIds(withoutId.length);
  if (firstId === undefined) return;
  for (const [i, sessionId] of withoutId.entries()) countedStarts.set(sessionId, { transactionId: firstId + i });
}
