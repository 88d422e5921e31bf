// Counts that took long are kept for a while, and shown while they are made anew.
import { createHash } from 'node:crypto';
import { performance } from 'node:perf_hooks';

/** More rows than this are not counted for every question: a million index entries take a tenth of a second each time. */
const MANY_ROWS = 10_000;
/** So long it is given again, and for as long as `SHOWN_MS` while it is counted anew. */
const KEPT_MS = 30_000;
const SHOWN_MS = 300_000;
const MAX_CACHED = 1_000;

interface CachedCount<T> {
  readonly counted: T;
  readonly atMs: number;
  isBeingCounted: boolean;
}

/**
 * Counts, and remembers what was counted from many rows, by the question as JSON. Whatever goes wrong with a count goes wrong
 * for whoever waits for it.
 */
export function createCachedCount<Q, T>(
  read: (question: Q) => Promise<T>,
  rowsOf: (counted: T) => number,
): (question: Q) => Promise<T> {
  const kept = new Map<string, CachedCount<T>>();

  const count = async (question: Q, key: string): Promise<T> => {
    const counted = await read(question);
    kept.delete(key);
    // Only how long ago matters, and no rule rests on it: the machine's own clock.
    if (rowsOf(counted) > MANY_ROWS) kept.set(key, { counted, atMs: performance.now(), isBeingCounted: false });
    if (kept.size > MAX_CACHED) kept.delete(kept.keys().next().value ?? '');
    return counted;
  };

  return (question) => {
    // A hundred chargers' names are long to be kept.
    const key = createHash('sha256').update(JSON.stringify(question)).digest('base64');
    const known = kept.get(key);
    const ageMs = known === undefined ? Infinity : performance.now() - known.atMs;
    if (known === undefined || ageMs > SHOWN_MS) return count(question, key);
    if (ageMs > KEPT_MS && !known.isBeingCounted) {
      known.isBeingCounted = true;
      count(question, key).catch(() => {
        known.isBeingCounted = false;
      });
    }
    return Promise.resolve(known.counted);
  };
}
