// The time that deletion by age takes for now. It is kept in the store and follows the clock at a limited pace, so that a
// clock that jumped ahead deletes little before somebody notices (ADR 21).
import type { Clock, Logger } from '@busbar/core';
import { toTimestamp, type Timestamp } from '@busbar/domain';
import type { RetentionStore } from '@busbar/domain/history';

export interface RetentionHorizonDeps {
  readonly store: Pick<RetentionStore, 'retainedUntil' | 'moveRetainedUntil' | 'newestRowAt'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** What the other replicas' clocks say now, in Unix milliseconds. */
  readonly otherClocks: () => readonly number[];
  /** After each call of `advance`: whether deletion is suspended, and by how much the horizon is behind the clock. */
  readonly onAdvance?: (state: { readonly suspended: boolean; readonly lagMs: number }) => void;
}

export interface RetentionHorizon {
  /** Moves it on. Undefined: nothing may be deleted by age now. Rejects while the store is unavailable. */
  advance(): Promise<Timestamp | undefined>;
}

const DAY_MS = 86_400_000;
/** How much further than everything that it can be compared with a clock may be. */
const MAX_AHEAD_MS = DAY_MS;
/** Two days a day: what was not deleted while all was stopped is deleted in as long again. */
const MAX_PACE = 2;

interface Seen {
  /** What the store held, and since when by the monotonic clock: all that passed since may be moved on by. */
  readonly retainedUntil: Timestamp;
  readonly sinceMs: number;
}

export function createRetentionHorizon(deps: RetentionHorizonDeps): RetentionHorizon {
  const { store, clock } = deps;
  const comparison = createComparison(clock);
  const report = createReport(deps);
  let seen: Seen | undefined;

  /** The first time on a store. Another replica may be first: the next round goes on from what that one said. */
  async function begin(newest: Timestamp | undefined): Promise<Timestamp | undefined> {
    const now = clock.now().getTime();
    const first = newest === undefined ? now : Math.min(now, Date.parse(newest) + MAX_AHEAD_MS);
    const retainedUntil = toTimestamp(new Date(first));
    return (await store.moveRetainedUntil(undefined, retainedUntil)) ? retainedUntil : undefined;
  }

  /** How far the horizon may be now: at the pace since it was last seen to move, and never beyond the clock. */
  function target(stored: number, others: readonly number[]): number {
    const now = clock.now().getTime();
    // The clock was ahead once and was put right. Where another replica's still is, that one moves it.
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
    async advance() {
      const newest = await store.newestRowAt();
      const stored = (await store.retainedUntil()) ?? (await begin(newest));
      if (stored === undefined) return undefined;
      if (seen?.retainedUntil !== stored) seen = { retainedUntil: stored, sinceMs: clock.monotonicMs() };
      const others = deps.otherClocks();
      const aheadMs = comparison.aheadMs({ stored, newest, others });
      if (aheadMs > MAX_AHEAD_MS) {
        // The time of a suspension is not made up for: a clock that is right again has little to make up.
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
 * By how much the clock is ahead of the other replicas' clocks; where that is little, or there are none, of all that shows
 * the time in the store: the newest row, and the horizon itself.
 */
function createComparison(clock: Clock) {
  let silence: { readonly newest: Timestamp | undefined; readonly sinceMs: number } | undefined;

  /**
   * A site at which nobody reports cannot vouch for a clock, nor contradict it: after a day of that the pace alone protects
   * the rows, else a site that is closed down would keep them for ever.
   */
  function isSilent(newest: Timestamp | undefined): boolean {
    const now = clock.monotonicMs();
    if (silence === undefined || silence.newest !== newest) silence = { newest, sinceMs: now };
    return now - silence.sinceMs > DAY_MS;
  }

  return {
    aheadMs({ stored, newest, others }: Compared): number {
      const now = clock.now().getTime();
      // Rows prove nothing against them: a gateway on the same machine writes rows with the same wrong time.
      const aheadOfOthersMs = others.length === 0 ? 0 : now - Math.max(...others);
      if (aheadOfOthersMs > MAX_AHEAD_MS) return aheadOfOthersMs;
      const known = [stored, ...(newest === undefined ? [] : [newest])].map((at) => Date.parse(at));
      const aheadMs = now - Math.max(...known);
      if (aheadMs <= MAX_AHEAD_MS) silence = undefined;
      return aheadMs > MAX_AHEAD_MS && isSilent(newest) ? 0 : aheadMs;
    },
  };
}

/** One line when a state begins, one when it ends. */
function createReport({ logger, onAdvance }: RetentionHorizonDeps) {
  let state: 'level' | 'behind' | 'suspended' = 'level';
  return {
    suspended(aheadMs: number, fields: Readonly<Record<string, unknown>>) {
      onAdvance?.({ suspended: true, lagMs: aheadMs });
      if (state === 'suspended') return;
      state = 'suspended';
      const message =
        'deletion by age is suspended: the clock is more than a day ahead of every other replica or of the newest row; ' +
        'check the clocks; if this one is right, deletion goes on with the next message of a charger, or after a day';
      logger.error({ aheadS: Math.round(aheadMs / 1000), ...fields }, message);
    },
    advanced(lagMs: number) {
      onAdvance?.({ suspended: false, lagMs: Math.max(0, lagMs) });
      const next = lagMs > MAX_AHEAD_MS ? 'behind' : 'level';
      if (next === state) return;
      if (next === 'behind') {
        const message =
          'deletion by age is more than a day behind the clock and follows it by two days a day; check the clock, ' +
          'unless nothing ran for that long';
        logger.warn({ lagS: Math.round(lagMs / 1000) }, message);
      } else logger.info({}, 'deletion by age follows the clock again');
      state = next;
    },
  };
}
