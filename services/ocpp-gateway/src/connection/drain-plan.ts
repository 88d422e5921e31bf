// When each socket of a gateway that stops is closed. Pure: the caller brings the time, calls it every `DRAIN_TICK_MS`, and
// closes what it gets. The even pace spreads the reconnects of the chargers over the other gateways.

export interface DrainPlan<T> {
  /** The sockets that close now; each is given once. */
  due(nowMs: number): readonly T[];
  /** Every socket has been given. */
  isDone(): boolean;
}

export interface DrainPlanOptions<T> {
  /** In the order of their turns. */
  readonly sockets: readonly T[];
  /** All turns come within this time, where `MAX_PER_S` allows it. */
  readonly drainMs: number;
  readonly startMs: number;
  /** A CALL is in flight, in either direction: it may end first. */
  readonly isBusy: (socket: T) => boolean;
}

export const DRAIN_TICK_MS = 50;
/** Chargers reconnect at once, and the other gateways admit hundreds a second. */
const MAX_PER_S = 2_000;
/** A CALL in flight delays the close of its socket for so long at most. */
const BUSY_MS = 3_000;

/** Closes that a suspended gateway or CALLs in flight have delayed are made up for at so many times the even pace. */
const CATCH_UP = 1.5;
const SECOND_MS = 1_000;

/**
 * The first turn comes at once, the others follow evenly. Missed turns are made up at one and a half times the even pace, so that
 * neither a gateway that was suspended nor the end of many CALLs at once closes many sockets within a second.
 */
export function createDrainPlan<T>({ sockets, drainMs, startMs, isBusy }: DrainPlanOptions<T>): DrainPlan<T> {
  const spreadMs = Math.max(drainMs, (sockets.length / MAX_PER_S) * SECOND_MS);
  const maxPerS = Math.min(MAX_PER_S, Math.ceil((CATCH_UP * sockets.length * SECOND_MS) / spreadMs));
  const maxPerTick = Math.ceil((maxPerS * DRAIN_TICK_MS) / SECOND_MS);
  let turns = 0;
  /** Sockets whose turn came during a CALL. */
  let busy: { readonly socket: T; readonly untilMs: number }[] = [];
  /** The closes of the last second. */
  let recent: { readonly atMs: number; readonly count: number }[] = [];

  function budget(nowMs: number): number {
    recent = recent.filter(({ atMs }) => nowMs - atMs < SECOND_MS);
    const closed = recent.reduce((sum, { count }) => sum + count, 0);
    return Math.min(maxPerTick, maxPerS - closed);
  }

  return {
    due(nowMs) {
      const allowed = budget(nowMs);
      const ready = busy.filter(({ socket, untilMs }) => nowMs >= untilMs || !isBusy(socket)).slice(0, allowed);
      const closing = new Set(ready);
      busy = busy.filter((each) => !closing.has(each));
      const due = ready.map(({ socket }) => socket);
      // Those of this tick are closed at its beginning.
      const tickEndMs = nowMs - startMs + DRAIN_TICK_MS;
      const wanted = Math.min(sockets.length, Math.ceil((tickEndMs * sockets.length) / spreadMs));
      for (; turns < wanted && due.length < allowed; turns += 1) {
        const socket = sockets[turns] as T;
        if (isBusy(socket)) busy.push({ socket, untilMs: nowMs + BUSY_MS });
        else due.push(socket);
      }
      recent.push({ atMs: nowMs, count: due.length });
      return due;
    },
    isDone: () => turns === sockets.length && busy.length === 0,
  };
}
