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

/**
 * The first turn comes at once, the others follow evenly. A tick that comes late makes up for it at twice the pace, so that a
 * suspended gateway does not close many sockets at once.
 */
export function createDrainPlan<T>({ sockets, drainMs, startMs, isBusy }: DrainPlanOptions<T>): DrainPlan<T> {
  const spreadMs = Math.max(drainMs, (sockets.length / MAX_PER_S) * 1000);
  const perTick = Math.min(
    (MAX_PER_S * DRAIN_TICK_MS) / 1000,
    Math.ceil((2 * sockets.length * DRAIN_TICK_MS) / spreadMs),
  );
  let turns = 0;
  /** Sockets whose turn came during a CALL. */
  let busy: { readonly socket: T; readonly untilMs: number }[] = [];

  return {
    due(nowMs) {
      // Those of this tick are closed at its beginning.
      const tickEndMs = nowMs - startMs + DRAIN_TICK_MS;
      const wanted = Math.min(sockets.length, Math.ceil((tickEndMs * sockets.length) / spreadMs));
      const next = sockets.slice(turns, Math.min(wanted, turns + perTick));
      turns += next.length;
      const candidates = [...busy, ...next.map((socket) => ({ socket, untilMs: nowMs + BUSY_MS }))];
      busy = candidates.filter(({ socket, untilMs }) => nowMs < untilMs && isBusy(socket));
      const waiting = new Set(busy);
      return candidates.filter((candidate) => !waiting.has(candidate)).map(({ socket }) => socket);
    },
    isDone: () => turns === sockets.length && busy.length === 0,
  };
}
