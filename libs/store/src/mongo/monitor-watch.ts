// Watches the driver's own monitor. When a socket dies while the monitor writes to it, the driver (7.8) waits for ever
// for that socket to drain. It then checks the server no more, and considers it unavailable until the process ends.
import type { mongo } from 'mongoose';

import type { Clock, Timer } from '@busbar/core';

/** Longer than a check of the driver: its time to connect, and once more for the response. */
export const STUCK_MS = 12_000;
const LOOK_MS = 1_000;

/** Calls `onStuck` when a check takes too long, and again with every second that it lasts. */
export function createMonitorWatch(clock: Clock, onStuck: () => void) {
  const begun = new Map<string, number>();
  let attached: mongo.MongoClient | undefined;
  let timer: Timer | undefined;

  const started = ({ connectionId }: { readonly connectionId: string }): void => {
    begun.set(connectionId, clock.monotonicMs());
  };
  const ended = ({ connectionId }: { readonly connectionId: string }): void => {
    begun.delete(connectionId);
  };
  const closed = ({ address }: mongo.ServerClosedEvent): void => {
    begun.delete(address);
  };
  const look = (): void => {
    const now = clock.monotonicMs();
    if ([...begun.values()].some((since) => now - since > STUCK_MS)) onStuck();
  };

  return {
    attach(client: mongo.MongoClient) {
      attached = client;
      client.on('serverHeartbeatStarted', started);
      client.on('serverHeartbeatSucceeded', ended);
      client.on('serverHeartbeatFailed', ended);
      client.on('serverClosed', closed);
      timer ??= clock.every(LOOK_MS, look);
    },
    detach() {
      attached?.off('serverHeartbeatStarted', started);
      attached?.off('serverHeartbeatSucceeded', ended);
      attached?.off('serverHeartbeatFailed', ended);
      attached?.off('serverClosed', closed);
      attached = undefined;
      begun.clear();
      timer?.cancel();
      timer = undefined;
    },
  };
}
