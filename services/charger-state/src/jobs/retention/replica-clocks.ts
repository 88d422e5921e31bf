// What the clocks of the other replicas say, by their notices: a clock that jumped is found out by comparing.
import type { Broker, Subscription } from '@busbar/broker';
import { channels } from '@busbar/contracts';
import type { Clock, Service } from '@busbar/core';

export interface ReplicaClocksDeps {
  readonly broker: Pick<Broker, 'listen'>;
  readonly clock: Clock;
  readonly replicaId: string;
}

export interface ReplicaClocks extends Service {
  /** Each other replica's time now, in Unix milliseconds. */
  times(): readonly number[];
}

/** Notices come every two seconds; a replica that is silent for so long counts no more. */
const SILENT_MS = 30_000;
const MAX_REPLICAS = 1_000;

export function createReplicaClocks({ broker, clock, replicaId }: ReplicaClocksDeps): ReplicaClocks {
  const clocks = new Map<string, { readonly timeMs: number; readonly atMs: number }>();
  let notices: Subscription | undefined;

  function received(from: string, at: string): void {
    const timeMs = Date.parse(at);
    if (from === replicaId || Number.isNaN(timeMs)) return;
    // The oldest notice first: it is the one that is dropped where there are too many.
    clocks.delete(from);
    clocks.set(from, { timeMs, atMs: clock.monotonicMs() });
    const [oldest] = clocks.keys();
    if (clocks.size > MAX_REPLICAS && oldest !== undefined) clocks.delete(oldest);
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
    times() {
      const now = clock.monotonicMs();
      const live = [...clocks.values()].filter(({ atMs }) => now - atMs <= SILENT_MS);
      return live.map(({ timeMs, atMs }) => timeMs + now - atMs);
    },
  };
}
