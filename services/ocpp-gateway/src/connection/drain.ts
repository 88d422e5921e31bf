// Closes all sockets of a gateway that stops, as the plan says. A socket is served in full until it is closed.
import { delay, type Clock } from '@busbar/core';
import { closeSocket } from './close';
import type { Connection } from './connection';
import { createDrainPlan, DRAIN_TICK_MS } from './drain-plan';
import { hasCallInFlight } from './idle';

export interface DrainOptions {
  readonly clock: Clock;
  readonly drainMs: number;
  /** The code of the close frames: 1001 (going away) or 1012 (service restart). */
  readonly code: number;
}

/** Resolves when every socket has ended: one close timeout after the last close frame at the latest. */
export async function drainSockets(
  connections: readonly Connection[],
  { clock, drainMs, code }: DrainOptions,
): Promise<void> {
  const startMs = clock.monotonicMs();
  const plan = createDrainPlan({ sockets: shuffled(connections), drainMs, startMs, isBusy: hasCallInFlight });
  const ends: Promise<void>[] = [];
  while (!plan.isDone()) {
    for (const connection of plan.due(clock.monotonicMs())) {
      if (connection.closed) continue;
      ends.push(new Promise<void>((resolve) => connection.socket.once('close', () => resolve())));
      closeSocket(connection, code, 'the gateway stops');
    }
    if (!plan.isDone()) await delay(clock, DRAIN_TICK_MS);
  }
  await Promise.all(ends);
}

/** Random, so that the chargers of one site, which connected together, do not all disconnect together. */
function shuffled<T>(items: readonly T[]): readonly T[] {
  return items
    .map((item) => ({ item, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
