// Counts of many rows, cached. The operator console reads `GET /v2/chargers?limit=100` by any sort key and filter. With
// 100,000 chargers 95 % of its pages must arrive within 150 ms, and each has `totalRecords`. Counting all rows for each page
// takes longer than reading the page. The other lists use the same counts, and so does `GET /sites/state-time-series`.
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
