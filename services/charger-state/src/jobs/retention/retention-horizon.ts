// The time of retention. It is stored, and follows the clock at a limited rate, so that a clock that jumped ahead deletes
// little before somebody notices (ADR 21).
import type { Clock, Logger } from '@busbar/core';
import { toTimestamp, type Timestamp } from '@busbar/domain';
import type { RetentionStore } from '@busbar/domain/history';

export interface RetentionHorizonDeps {
  readonly store: Pick<RetentionStore, 'retainedUntil' | 'moveRetainedUntil' | 'newestRowAt'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The times of the other replicas' clocks, in Unix milliseconds. */
  readonly otherClocks: () => readonly number[];
  /** Called after each `advance`: whether retention is suspended, and its lag behind the clock. */
  readonly onAdvance?: (state: { readonly suspended: boolean; readonly lagMs: number }) => void;
}

export type RetentionHorizon = ReturnType<typeof createRetentionHorizon>;

const DAY_MS = 86_400_000;
/** The time that the clock may be ahead of all times that it is compared with. */
const MAX_AHEAD_MS = DAY_MS;
/** Two days a day: a stop of the service is made up for in the same time. */
const MAX_PACE = 2;

interface Seen {
  /** The stored time, and when it was read by the monotonic clock. */
  readonly retainedUntil: Timestamp;
  readonly sinceMs: number;
}

export function createRetentionHorizon(deps: RetentionHorizonDeps) {
  const { store, clock } = deps;
  const comparison = createComparison(clock);
  const report = createReport(deps);
  let seen: Seen | undefined;

  /** The first advance on a store. Where another replica is first, the next run continues from its value. */
  async function begin(newest: Timestamp | undefined): Promise<Timestamp | undefined> {
    const now = clock.now().getTime();
    const first = newest === undefined ? now : Math.min(now, Date.parse(newest) + MAX_AHEAD_MS);
    const retainedUntil = toTimestamp(new Date(first));
    return (await store.moveRetainedUntil(undefined, retainedUntil)) ? retainedUntil : undefined;
  }

  /** The furthest time allowed now: limited by the rate since its last change, and by the clock. */
  function target(stored: number, others: readonly number[]): number {
    const now = clock.now().getTime();
    // The clock was ahead and is corrected. A replica whose clock is still ahead advances it.
    if (now < stored) return Math.min(stored, Math.max(now, ...others));
    const elapsedMs = clock.monotonicMs() - (seen?.sinceMs ?? Infinity);
    return Math.min(now, stored + MAX_PACE * Math.max(0, Math.floor(elapsedMs)));
  }

  async function move(from: Timestamp, toMs: number): Promise<Timestamp> {
    const to = toTimestamp(new Date(toMs));
    if (to === from || !(await store.moveRetainedUntil(from, to))) return from;
    seen = { retainedUntil: to, sinceMs: clock.monotonicMs() };
    return to;
  }

  return {
    /** Advances it. Undefined: nothing may be deleted now. Rejects while the store is unavailable. */
    async advance(): Promise<Timestamp | undefined> {
      const newest = await store.newestRowAt();
      const stored = (await store.retainedUntil()) ?? (await begin(newest));
      if (stored === undefined) return undefined;
      if (seen?.retainedUntil !== stored) seen = { retainedUntil: stored, sinceMs: clock.monotonicMs() };
      const others = deps.otherClocks();
      const aheadMs = comparison.aheadMs({ stored, newest, others });
      if (aheadMs > MAX_AHEAD_MS) {
        // A suspension is not made up for: a corrected clock has little to make up.
        seen = { ...seen, sinceMs: clock.monotonicMs() };
        report.suspended(aheadMs, { retainedUntil: stored, newestRowAt: newest });
        return undefined;
      }
      const moved = await move(stored, target(Date.parse(stored), others));
      const now = clock.now();
      report.advanced(now.getTime() - Date.parse(moved));
      return toTimestamp(new Date(Math.min(now.getTime(), Date.parse(moved))));
    },
  };
}

interface Compared {
  readonly stored: Timestamp;
  readonly newest: Timestamp | undefined;
  readonly others: readonly number[];
}

/**
 * Compares the clock with the other replicas' clocks. Where it is little ahead of them, or there are none, it compares
 * it with the newest row and the stored time.
 */
function createComparison(clock: Clock) {
  let silence: { readonly newest: Timestamp | undefined; readonly sinceMs: number } | undefined;

  /**
   * Silent chargers neither confirm nor contradict a clock. After a day of silence only the limited rate protects the
   * rows; else rows of a network that is closed down would never be deleted.
   */
  function isSilent(newest: Timestamp | undefined): boolean {
    const now = clock.monotonicMs();
    if (silence === undefined || silence.newest !== newest) silence = { newest, sinceMs: now };
    return now - silence.sinceMs > DAY_MS;
  }

  return {
    aheadMs({ stored, newest, others }: Compared): number {
      const now = clock.now().getTime();
      // Rows do not outweigh other replicas: a gateway on the same machine writes rows with the same wrong time.
      const aheadOfOthersMs = others.length === 0 ? 0 : now - Math.max(...others);
      if (aheadOfOthersMs > MAX_AHEAD_MS) return aheadOfOthersMs;
      const known = [stored, ...(newest === undefined ? [] : [newest])].map((at) => Date.parse(at));
      const aheadMs = now - Math.max(...known);
      if (aheadMs <= MAX_AHEAD_MS) silence = undefined;
      return aheadMs > MAX_AHEAD_MS && isSilent(newest) ? 0 : aheadMs;
    },
  };
}

/** Logs one line when a state begins and one when it ends. */
function createReport({ logger, onAdvance }: RetentionHorizonDeps) {
  let state: 'level' | 'behind' | 'suspended' = 'level';
  return {
    suspended(aheadMs: number, fields: Readonly<Record<string, unknown>>) {
      onAdvance?.({ suspended: true, lagMs: aheadMs });
      if (state === 'suspended') return;
      state = 'suspended';
      const message =
        'retention is suspended: the clock is more than a day ahead of every other replica or of the newest row; ' +
        'check the clocks; if this one is right, retention resumes with the next message of a charger, or after a day';
      logger.error({ aheadS: Math.round(aheadMs / 1000), ...fields }, message);
    },
    advanced(lagMs: number) {
      onAdvance?.({ suspended: false, lagMs: Math.max(0, lagMs) });
      const next = lagMs > MAX_AHEAD_MS ? 'behind' : 'level';
      if (next === state) return;
      if (next === 'behind') {
        const message =
          'retention is more than a day behind the clock and follows it by two days a day; check the clock, ' +
          'unless the service was stopped for that long';
        logger.warn({ lagS: Math.round(lagMs / 1000) }, message);
      } else logger.info({}, 'retention follows the clock again');
      state = next;
    },
  };
}
