// Finds dead sockets: pings each, and terminates one that sends nothing for a whole interval afterwards.
import { createTicker, type Clock, type Logger } from '@busbar/core';
import { terminateSocket } from './close';
import { NO_PONG } from './close-reason';
import type { Connection } from './connection';
import type { Registry } from './registry';

const CHECK_EVERY_MS = 1_000;
/** A check that is this late shows that the gateway itself was suspended: silence then proves nothing (rule 20). */
const STALL_MS = 2_000;

/** Every frame and every pong counts: see `markAlive`. */
export function createLiveness(registry: Registry, clock: Clock, logger: Logger, intervalMs: number) {
  const ticker = createTicker(clock, CHECK_EVERY_MS, checkAll);
  let lastCheckMs = 0;

  function checkAll(): void {
    const now = clock.monotonicMs();
    const stalled = now - lastCheckMs > CHECK_EVERY_MS + STALL_MS;
    lastCheckMs = now;
    for (const connection of registry.all()) check(connection, now, stalled);
  }

  function check(connection: Connection, now: number, stalled: boolean): void {
    const { liveness, socket } = connection;
    if (liveness.nextPingMs > now) return;
    liveness.nextPingMs = now + intervalMs;
    if (liveness.awaitingPong && !connection.paused && !stalled) {
      const { chargerId, connectionId } = connection;
      logger.info({ chargerId, connectionId }, 'a charger answers no ping; terminating its socket');
      terminateSocket(connection, NO_PONG);
      return;
    }
    liveness.awaitingPong = true;
    if (socket.readyState === socket.OPEN) socket.ping();
  }

  return {
    start(): void {
      lastCheckMs = clock.monotonicMs();
      ticker.start();
    },
    stop: ticker.stop,
  };
}

/** The charger has sent a frame, a ping or a pong. */
export function markAlive(connection: Connection): void {
  connection.liveness.awaitingPong = false;
}
