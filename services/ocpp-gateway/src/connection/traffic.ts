// What each charger sent to this gateway, over all its connections: how fast, and how much today (UTC). Kept by charger, so
// that a charger that reconnects owes what it owed.
import type { Clock, Logger, Timer } from '@busbar/core';
import type { GatewayMetrics } from '../gateway-metrics';
import { createTrafficLimit, type TrafficLimit, type TrafficLimits } from './traffic-limit';

export interface Traffic {
  /** Counts a message of so many inflated bytes. Milliseconds for which nothing more is to be read; 0 for none. */
  take(bytes: number): number;
  /** The same without a message. */
  debtMs(): number;
}

export interface TrafficMeter {
  of(chargerId: string): Traffic;
  /** Chargers above the daily volume today. */
  aboveVolume(): number;
  start(): void;
  stop(): void;
}

export interface TrafficDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<GatewayMetrics, 'dailyBytes'>;
  readonly limits: TrafficLimits;
  /** A charger that sent more in a day is logged, once. 0: none is. */
  readonly warnAtBytes: number;
  /** Beyond so many chargers the one that came first is forgotten; while it stays connected it is counted still. */
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

export function createTrafficMeter(deps: TrafficDeps): TrafficMeter {
  const { clock, logger, metrics, warnAtBytes } = deps;
  const entries = new Map<string, Entry>();
  let day = dayOf(clock);
  let above = 0;
  let timer: Timer | undefined;

  function keep(entry: Entry): void {
    entries.set(entry.chargerId, entry);
    if (entries.size <= deps.maxChargers) return;
    const [oldest] = entries.values();
    if (oldest === undefined) return;
    entries.delete(oldest.chargerId);
    observe(oldest);
  }

  function observe({ bytes }: Entry): void {
    if (bytes > 0) metrics.dailyBytes.observe({}, bytes);
  }

  function count(entry: Entry, bytes: number): void {
    if (entry.day !== day) {
      entry.day = day;
      entry.bytes = 0;
      keep(entry);
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
    for (const entry of entries.values()) observe(entry);
    entries.clear();
    day = today;
    above = 0;
  }

  return {
    of(chargerId) {
      const entry = entries.get(chargerId) ?? {
        chargerId,
        limit: createTrafficLimit(clock, deps.limits),
        day,
        bytes: 0,
      };
      if (!entries.has(chargerId)) keep(entry);
      return {
        take(bytes) {
          count(entry, bytes);
          return entry.limit?.take(bytes) ?? 0;
        },
        debtMs: () => entry.limit?.debtMs() ?? 0,
      };
    },
    aboveVolume: () => above,
    start() {
      timer ??= clock.every(CHECK_EVERY_MS, checkDay);
    },
    stop() {
      timer?.cancel();
      timer = undefined;
    },
  };
}

function dayOf(clock: Clock): number {
  return Math.floor(clock.now().getTime() / DAY_MS);
}
