// How fast one charger may send: a token bucket for messages and one for bytes. Beyond them the gateway stops reading from
// the socket until the debt is paid, so that TCP slows the charger down and nothing of it is lost or refused.
import type { Clock } from '@busbar/core';

export interface TrafficLimits {
  /** 0: no limit. */
  readonly messagesPerS: number;
  /** Of inflated frames. 0: no limit. */
  readonly bytesPerS: number;
}

export interface TrafficLimit {
  /** Counts a message of so many bytes. Milliseconds until the debt is paid; 0 where there is none. */
  take(bytes: number): number;
  /** The same without a message. */
  debtMs(): number;
}

interface Bucket {
  readonly perSecond: number;
  tokens: number;
}

/** How much of the sustained rate may come at once, in seconds' worth. */
const BURST_S = 10;
/**
 * One read of a socket is taken whole, and 64 KiB of deflated white space inflate to a thousand times that: four minutes of
 * the default limit. Where a limit is set very low, a debt ends all the same.
 */
const MAX_DEBT_S = 600;

/** Undefined where nothing is limited, so that it costs nothing. */
export function createTrafficLimit(clock: Clock, limits: TrafficLimits): TrafficLimit | undefined {
  const messages = createBucket(limits.messagesPerS);
  const volume = createBucket(limits.bytesPerS);
  if (messages.perSecond === 0 && volume.perSecond === 0) return undefined;
  let atMs = clock.monotonicMs();

  function take(count: number, bytes: number): number {
    const nowMs = clock.monotonicMs();
    const elapsedS = (nowMs - atMs) / 1000;
    atMs = nowMs;
    return Math.max(takeFrom(messages, count, elapsedS), takeFrom(volume, bytes, elapsedS));
  }

  return { take: (bytes) => take(1, bytes), debtMs: () => take(0, 0) };
}

function createBucket(perSecond: number): Bucket {
  return { perSecond, tokens: BURST_S * perSecond };
}

function takeFrom(bucket: Bucket, amount: number, elapsedS: number): number {
  const { perSecond } = bucket;
  if (perSecond === 0) return 0;
  const refilled = Math.min(BURST_S * perSecond, bucket.tokens + elapsedS * perSecond);
  bucket.tokens = Math.max(-MAX_DEBT_S * perSecond, refilled - amount);
  return bucket.tokens >= 0 ? 0 : Math.ceil((-bucket.tokens * 1000) / perSecond);
}
