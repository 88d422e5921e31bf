/** Latencies in buckets one percent apart, so that any number of them takes the same memory. */
export interface Histogram {
  add(ms: number): void;
  count(): number;
  /** The upper edge of the bucket that holds the quantile `q` (0 to 1), in milliseconds; 0 when it is empty. */
  quantile(q: number): number;
}

const SMALLEST_MS = 0.001;
const LARGEST_MS = 100_000;
const STEP = Math.log(1.01);
const BUCKETS = bucketOf(LARGEST_MS) + 1;

export function createHistogram(): Histogram {
  const counts = new Uint32Array(BUCKETS);
  let count = 0;
  return {
    add(ms) {
      const bucket = bucketOf(Math.min(LARGEST_MS, Math.max(SMALLEST_MS, ms)));
      counts[bucket] = (counts[bucket] ?? 0) + 1;
      count += 1;
    },
    count: () => count,
    quantile(q) {
      if (count === 0) return 0;
      const rank = Math.max(1, Math.ceil(q * count));
      let seen = 0;
      for (let bucket = 0; bucket < BUCKETS; bucket += 1) {
        seen += counts[bucket] ?? 0;
        if (seen >= rank) return SMALLEST_MS * Math.exp(bucket * STEP);
      }
      return LARGEST_MS;
    },
  };
}

function bucketOf(ms: number): number {
  return Math.ceil(Math.log(ms / SMALLEST_MS) / STEP);
}
