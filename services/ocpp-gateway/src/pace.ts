// How fast one charger may talk, where that has a bound: beyond it we stop reading from its socket for a while, so that TCP
// slows it down and nothing of it is lost or refused. Pure but for the clock; who reads holds.
import type { Clock } from '@busbar/core';

export interface PaceLimits {
  /** 0: no bound. */
  readonly messagesPerS: number;
  /** 0: no bound. */
  readonly bytesPerS: number;
}

/** Counts a message of so many bytes, and says for how many milliseconds nothing more is to be read: 0 for not at all. */
export type Pace = (bytes: number) => number;

/**
 * A frame larger than a second's worth is a debt, which is held for no longer than this at a time: the end of a socket that
 * is not read from is not seen either.
 */
const LONGEST_HOLD_MS = 10_000;

/** A second's worth may come at once. Undefined where nothing is bounded, so that it costs nothing. */
export function createPace(clock: Clock, { messagesPerS, bytesPerS }: PaceLimits): Pace | undefined {
  if (messagesPerS === 0 && bytesPerS === 0) return undefined;
  const messages = createBucket(clock, messagesPerS);
  const volume = createBucket(clock, bytesPerS);
  return (bytes) => Math.min(LONGEST_HOLD_MS, Math.max(messages(1), volume(bytes)));
}

function createBucket(clock: Clock, perSecond: number): (amount: number) => number {
  if (perSecond === 0) return () => 0;
  let left = perSecond;
  let atMs = clock.monotonicMs();
  return (amount) => {
    const now = clock.monotonicMs();
    left = Math.min(perSecond, left + ((now - atMs) * perSecond) / 1000) - amount;
    atMs = now;
    return left >= 0 ? 0 : Math.ceil((-left * 1000) / perSecond);
  };
}
