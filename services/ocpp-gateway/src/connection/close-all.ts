// Closes all sockets of a gateway that stops. Batches spread the reconnects of their chargers. A limit ends the
// closing, however many sockets are half-open.
import type { Clock } from '@busbar/core';
import type { Connection } from './connection';
import { closeSocket } from './close';

const CONCURRENCY = 200;
/** After this wait the next socket is closed; the slow one is terminated at its own timeout. */
const WAIT_MS = 250;
/** For all batches together: within the 30 s of a stop. */
const ALL_BATCHES_MS = 10_000;

/** Closes every socket with 1001. Resolves when all have ended: after at most `ALL_BATCHES_MS` and one close timeout. */
export async function closeAll(connections: readonly Connection[], clock: Clock): Promise<void> {
  const waitMs = Math.min(WAIT_MS, ALL_BATCHES_MS / Math.ceil(connections.length / CONCURRENCY));
  const ends: Promise<void>[] = [];
  const left = connections.values();
  const closeOneByOne = async (): Promise<void> => {
    for (const connection of left) {
      if (connection.closed) continue;
      const ended = new Promise<void>((resolve) => connection.socket.once('close', () => resolve()));
      ends.push(ended);
      closeSocket(connection, 1001, 'the gateway stops');
      await atMost(ended, waitMs, clock);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, closeOneByOne));
  await Promise.all(ends);
}

function atMost(ended: Promise<void>, ms: number, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    const timer = clock.after(ms, resolve);
    void ended.then(() => {
      timer.cancel();
      resolve();
    });
  });
}
