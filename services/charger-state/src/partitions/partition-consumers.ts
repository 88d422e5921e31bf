// Subscribes to every partition and leaves to the owner those that are another replica's. The broker gives a partition to
// whoever subscribed first; a replica that is active without owning finishes its batch, closes the channel and subscribes
// again at the end of the line. It never cancels or rejects deliveries: that would lose their order.
import type { BatchHandler, Broker, Subscription } from '@busbar/broker';
import { channels, type ReportBatch } from '@busbar/contracts';
import { backoff, createTrouble, type Clock, type Logger, type Service, type Timer } from '@busbar/core';
import type { Owners } from './owners';

export interface PartitionConsumersDeps {
  readonly broker: Broker;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly replicaId: string;
  readonly partitions: number;
  readonly owners: Owners;
  readonly handler: BatchHandler<ReportBatch>;
  /** This replica became the active one of a partition, or left it to its owner. For metrics. */
  readonly onMove?: (what: 'taken' | 'left') => void;
}

const NOTICE_MS = 2_000;
/**
 * Bodies handed over at once, and fetched ahead; each holds what a gateway had for the partition at one moment, up to 200
 * reports. What is beyond waits in its queue, where it costs no memory here and where its depth is seen.
 */
const MAX_BATCH = 20;
/** A partition is given up at most this often, so that replicas who see each other late do not pass it to and fro. */
const YIELD_MS = 5_000;
/** Between two tries to subscribe to a partition that was left. */
const AGAIN_FIRST_MS = 100;
const AGAIN_MAX_MS = 5_000;

export function createPartitionConsumers(deps: PartitionConsumersDeps): Service {
  const { broker, clock, logger, owners, replicaId } = deps;
  const subscriptions = new Map<number, Subscription>();
  const yieldedAt = new Map<number, number>();
  let notices: Subscription | undefined;
  let timer: Timer | undefined;
  let stopping = false;
  /** By partition: being left and subscribed again. */
  const moving = new Map<number, Promise<void>>();
  /** What wakes a partition that waits to be subscribed again. */
  const wakers = new Set<() => void>();
  const trouble = createTrouble({
    clock,
    logger,
    began: 'a partition cannot be subscribed again; it is tried until it can',
    ended: 'every partition is subscribed again',
  });
  const isStopping = (): boolean => stopping;

  async function subscribe(partition: number): Promise<void> {
    let isFirst = true;
    const handler: BatchHandler<ReportBatch> = async (batch) => {
      if (isFirst) deps.onMove?.('taken');
      isFirst = false;
      await deps.handler(batch);
      if (owners.ownerOf(partition) !== replicaId) giveUp(partition);
    };
    const options = { maxBatch: MAX_BATCH, singleActive: true };
    subscriptions.set(partition, await broker.consume(channels.reports, partition, options, handler));
  }

  function giveUp(partition: number): void {
    const now = clock.monotonicMs();
    if (stopping || moving.has(partition) || now - (yieldedAt.get(partition) ?? -YIELD_MS) < YIELD_MS) return;
    yieldedAt.set(partition, now);
    deps.onMove?.('left');
    logger.info({ partition, owner: owners.ownerOf(partition) }, 'leaving a partition to its owner');
    // Not from within the handler: its batch must be acknowledged first.
    const move = new Promise<void>((resolve) => setImmediate(resolve)).then(() => subscribeAgain(partition));
    moving.set(
      partition,
      move.finally(() => moving.delete(partition)),
    );
  }

  /** Never rejects: a partition that nobody is subscribed to stands still, and this replica would not know. */
  async function subscribeAgain(partition: number): Promise<void> {
    const waits = backoff({ firstMs: AGAIN_FIRST_MS, maxMs: AGAIN_MAX_MS });
    // Stopped while it waited: `stop` closes what is open, and nothing new is wanted.
    while (!isStopping()) {
      try {
        await subscriptions.get(partition)?.close();
        subscriptions.delete(partition);
        if (!isStopping()) await subscribe(partition);
        trouble.over(String(partition));
        return;
      } catch (error) {
        trouble.lasts(String(partition), error instanceof Error ? error.message : String(error), { err: error });
      }
      await pause(waits.next());
    }
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        wait.cancel();
        wakers.delete(wake);
        resolve();
      };
      const wait = clock.after(ms, wake);
      wakers.add(wake);
    });
  }

  return {
    name: 'partition-consumers',
    async start() {
      if (timer) return;
      stopping = false;
      await broker.declareQueue(channels.reports, deps.partitions);
      notices = await broker.listen(channels.replicas, (notice) => owners.heard(notice.replicaId, notice.state));
      broker.broadcast(channels.replicas, { replicaId, state: 'here' });
      timer = clock.every(NOTICE_MS, () => broker.broadcast(channels.replicas, { replicaId, state: 'here' }));
      await Promise.all(Array.from({ length: deps.partitions }, (_, partition) => subscribe(partition)));
    },
    async stop() {
      if (stopping) return;
      stopping = true;
      timer?.cancel();
      timer = undefined;
      broker.broadcast(channels.replicas, { replicaId, state: 'leaving' });
      for (const wake of [...wakers]) wake();
      await Promise.all(moving.values());
      await Promise.all([...subscriptions.values()].map((subscription) => subscription.close()));
      subscriptions.clear();
      await notices?.close();
    },
    ready: () => timer !== undefined && broker.ready() && !trouble.active(),
  };
}
