// Tracks whether the server accepts writes now, from the driver's monitoring. Checked before every call, so that calls
// fail at once while the server is unavailable.
import type { mongo } from 'mongoose';

export type Link = ReturnType<typeof createLink>;

// Server types that accept writes. A replica set between two primaries has none.
const WRITABLE = new Set(['Standalone', 'RSPrimary', 'Mongos', 'LoadBalancer']);

export function createLink() {
  const listeners = new Set<(up: boolean) => void>();
  let attached: mongo.MongoClient | undefined;
  let isAdmitted = false;
  let isWritable = false;
  let up = false;

  const turn = (next: boolean): void => {
    if (up === next) return;
    up = next;
    for (const listener of listeners) listener(next);
  };
  const described = (event: mongo.TopologyDescriptionChangedEvent): void => {
    isWritable = [...event.newDescription.servers.values()].some(({ type }) => WRITABLE.has(type));
    turn(isAdmitted && isWritable);
  };

  return {
    /** Listens to a client from its first event. The link is down before `admit`. */
    attach(client: mongo.MongoClient) {
      attached = client;
      client.on('topologyDescriptionChanged', described);
    },
    /** The client can be used from now on. */
    admit() {
      isAdmitted = true;
      turn(isWritable);
    },
    detach() {
      isAdmitted = false;
      isWritable = false;
      attached?.off('topologyDescriptionChanged', described);
      attached = undefined;
      turn(false);
    },
    isUp: () => up,
    listen(listener: (up: boolean) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
