// The clocks of the other replicas, by their notices: comparing them detects a clock that jumped.
import type { Broker, Subscription } from '@busbar/broker';
import { channels } from '@busbar/contracts';
import type { Clock } from '@busbar/core';
import { LRUCache } from 'lru-cache';

export interface ReplicaClocksDeps {
  readonly broker: Pick<Broker, 'listen'>;
  readonly clock: Clock;
  readonly replicaId: string;
}

/** A replica sends a notice every two seconds; after this silence its clock is ignored. */
const SILENT_MS = 30_000;
const MAX_REPLICAS = 1_000;

export function createReplicaClocks({ broker, clock, replicaId }: ReplicaClocksDeps) {
  const clocks = new LRUCache<string, { readonly timeMs: number; readonly atMs: number }>({ max: MAX_REPLICAS });
  let notices: Subscription | undefined;

  function received(from: string, at: string): void {
    const timeMs = Date.parse(at);
    if (from !== replicaId && !Number.isNaN(timeMs)) clocks.set(from, { timeMs, atMs: clock.monotonicMs() });
  }

  return {
    name: 'replica clocks',
    async start() {
      notices ??= await broker.listen(channels.replicas, ({ replicaId: from, at }) => received(from, at));
    },
    async stop() {
      await notices?.close();
      notices = undefined;
      clocks.clear();
    },
    ready: () => notices !== undefined,
    /** The present time of each other replica, in Unix milliseconds. */
    times(): readonly number[] {
      const now = clock.monotonicMs();
      const live = [...clocks.values()].filter(({ atMs }) => now - atMs <= SILENT_MS);
      return live.map(({ timeMs, atMs }) => timeMs + now - atMs);
    },
  };
}
