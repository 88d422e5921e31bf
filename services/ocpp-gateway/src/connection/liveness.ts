// Finds sockets whose charger is gone without a word: pings each, and cuts one that is silent for a whole interval after.
import type { Clock, Logger, Timer } from '@busbar/core';
import type { Connection } from './connection';
import type { Registry } from './registry';

export interface Liveness {
  start(): void;
  stop(): void;
}

const ROUND_MS = 1_000;
/** A round that comes this late says that we stood still ourselves: silence then proves nothing (rule 20). */
const STALL_MS = 2_000;

/** Every frame and every pong counts as a sign of life: see `heard`. */
export function createLiveness(registry: Registry, clock: Clock, logger: Logger, intervalMs: number): Liveness {
  let timer: Timer | undefined;
  let lastRound = 0;

  function round(): void {
    const now = clock.monotonicMs();
    const stalled = now - lastRound > ROUND_MS + STALL_MS;
    lastRound = now;
    for (const connection of registry.all()) check(connection, now, stalled);
  }

  function check(connection: Connection, now: number, stalled: boolean): void {
    const { liveness, socket } = connection;
    if (liveness.nextPingMs > now) return;
    liveness.nextPingMs = now + intervalMs;
    if (liveness.awaitingPong && !connection.paused && !stalled) {
      const { chargerId, connectionId } = connection;
      logger.info({ chargerId, connectionId }, 'a charger answers no ping; its socket is cut');
      socket.terminate();
      return;
    }
    liveness.awaitingPong = true;
    if (socket.readyState === socket.OPEN) socket.ping();
  }

  return {
    start() {
      lastRound = clock.monotonicMs();
      timer ??= clock.every(ROUND_MS, round);
    },
    stop() {
      timer?.cancel();
      timer = undefined;
    },
  };
}

/** The charger gave a sign of life. */
export function messageReceived(connection: Connection): void {
  connection.liveness.awaitingPong = false;
}
