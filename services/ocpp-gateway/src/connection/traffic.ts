// Meters each charger's traffic over all its connections: its rate, and its volume today (UTC). The state belongs to the
// charger, so a reconnect does not clear its debt.
import { createTicker, type Clock, type Logger } from '@busbar/core';
import type { Distribution } from '@busbar/runtime';
import { LRUCache } from 'lru-cache';
import { createTrafficLimit, type TrafficLimit, type TrafficLimits } from './traffic-limit';

export interface Traffic {
  /** Counts a message of so many inflated bytes. Returns for how many milliseconds reading must pause; 0: not at all. */
  take(bytes: number): number;
  /** The same without a message. */
  debtMs(): number;
}

export type TrafficMeter = ReturnType<typeof createTrafficMeter>;

export interface TrafficDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Observes what a charger sent in a day. */
  readonly metrics: { readonly dailyBytes: Distribution };
  readonly limits: TrafficLimits;
  /** A charger that sent more in a day is logged, once. 0: none is. */
  readonly warnAtBytes: number;
  /** Beyond so many chargers the oldest entry is evicted; its open connection still counts. */
  readonly maxChargers: number;
}

interface Entry {
  readonly chargerId: string;
  readonly limit: TrafficLimit | undefined;
  day: number;
  bytes: number;
}

const DAY_MS = 86_400_000;
const CHECK_EVERY_MS = 60_000;

export function createTrafficMeter(deps: TrafficDeps) {
  const { clock, logger, metrics, warnAtBytes } = deps;
  // Only `peek` reads it, so it evicts the entry that was added first.
  const entries = new LRUCache<string, Entry>({
    max: deps.maxChargers,
    dispose: ({ bytes }, _chargerId, reason) => {
      if (reason !== 'set' && bytes > 0) metrics.dailyBytes.observe(bytes);
    },
  });
  let day = dayOf(clock);
  let above = 0;

  function count(entry: Entry, bytes: number): void {
    if (entry.day !== day) {
      entry.day = day;
      entry.bytes = 0;
      entries.set(entry.chargerId, entry);
    }
    const before = entry.bytes;
    entry.bytes += bytes;
    if (warnAtBytes === 0 || before > warnAtBytes || entry.bytes <= warnAtBytes) return;
    above += 1;
    const { chargerId } = entry;
    logger.warn({ chargerId, bytes: entry.bytes, warnAtBytes }, 'a charger exceeded the daily volume');
  }

  function checkDay(): void {
    const today = dayOf(clock);
    if (today === day) return;
    entries.clear();
    day = today;
    above = 0;
  }

  return {
    of(chargerId: string): Traffic {
      const known = entries.peek(chargerId);
      const entry: Entry = known ?? {
        chargerId,
        limit: createTrafficLimit(clock, deps.limits),
        day,
        bytes: 0,
      };
      if (known === undefined) entries.set(chargerId, entry);
      return {
        take(bytes) {
          count(entry, bytes);
          return entry.limit?.take(bytes) ?? 0;
        },
        debtMs: () => entry.limit?.debtMs() ?? 0,
      };
    },
    /** Chargers above the daily volume today. */
    aboveVolume: () => above,
    ...createTicker(clock, CHECK_EVERY_MS, checkDay),
  };
}

function dayOf(clock: Clock): number {
  return Math.floor(clock.now().getTime() / DAY_MS);
}
