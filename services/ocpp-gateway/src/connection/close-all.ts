// The sockets of a gateway that stops: paced, so that their ends and their chargers' next upgrades do not come all at once,
// and bounded, however many of them are half-open.
import type { Clock } from '@busbar/core';
import type { Connection } from './connection';
import { closeSoon } from '../downlink/commands';

const CONCURRENCY = 200;
/** A socket that has not ended by then is no longer waited for before the next one; it is cut when its own time is over. */
const TURN_MS = 250;
/** Of all turns together: within a stop's 30 s, with what comes before and after. */
const ALL_BATCHES_MS = 10_000;

/** Closes every socket with 1001 and resolves when all have ended: at the latest two seconds after ten. */
export async function closeAll(connections: readonly Connection[], clock: Clock): Promise<void> {
  const turnMs = Math.min(TURN_MS, ALL_BATCHES_MS / Math.ceil(connections.length / CONCURRENCY));
  const ends: Promise<void>[] = [];
  const left = connections.values();
  const closeOneByOne = async (): Promise<void> => {
    for (const connection of left) {
      if (connection.closed) continue;
      const ended = new Promise<void>((resolve) => connection.socket.once('close', () => resolve()));
      ends.push(ended);
      closeSoon(connection, 1001, 'the gateway stops');
      await atMost(ended, turnMs, clock);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, closeOneByOne));
  await Promise.all(ends);
}

function atMost(ended: Promise<void>, ms: number, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    const turn = clock.after(ms, resolve);
    void ended.then(() => {
      turn.cancel();
      resolve();
    });
  });
}
