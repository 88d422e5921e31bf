// Counts of many rows, cached. A page of a list of 100,000 chargers, by any sort key and filter, must be answered within
// 150 ms (95 %). Counting all of them for each page takes longer than reading the page.
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** Smaller counts are exact: they are made for every page. */
const MIN_ROWS = 10_000;
const TTL_MS = 30_000;
const MAX_CACHED = 1_000;

/** Counts by `read`, and caches the result by the question where the count covers more than 10,000 rows. */
export function createCachedCount<Q, T extends number | object>(
  read: (question: Q) => Promise<T>,
  rowsOf: (counted: T) => number,
): (question: Q) => Promise<T> {
  const cache = new LRUCache<string, T>({ max: MAX_CACHED, ttl: TTL_MS });
  return async (question) => {
    // A question may hold the ids of a hundred chargers.
    const key = createHash('sha256').update(JSON.stringify(question)).digest('base64');
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const counted = await read(question);
    if (rowsOf(counted) > MIN_ROWS) cache.set(key, counted);
    return counted;
  };
}
