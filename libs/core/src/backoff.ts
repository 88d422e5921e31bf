export interface BackoffOptions {
  readonly firstMs: number;
  readonly maxMs: number;
  /** A number in [0, 1); tests pass their own. */
  readonly random?: () => number;
}

export interface Backoff {
  /** The next wait in milliseconds: doubles up to the maximum, with up to a quarter taken off at random. */
  next(): number;
  reset(): void;
}

/** Exponential backoff with jitter, so that processes that lost one server do not reconnect in step. */
export function backoff(options: BackoffOptions): Backoff {
  const random = options.random ?? Math.random;
  let step = 0;
  return {
    next() {
      const full = Math.min(options.maxMs, options.firstMs * 2 ** Math.min(step, 30));
      step += 1;
      return Math.round(full * (1 - random() / 4));
    },
    reset() {
      step = 0;
    },
  };
}
