// Subscribes to every partition and leaves to the owner those that are another replica's. The broker gives a partition to
// whoever subscribed first; a replica that is active without owning finishes its batch, closes the channel and subscribes
// again at the end of the line. It never cancels or rejects deliveries: that would lose their order.
import type { BatchHandler, Broker, Subscription } from '@busbar/broker';
import { channels, type ReportBatch } from '@busbar/contracts';
import type { Clock, Logger, Service, Timer } from '@busbar/core';
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

export function createPartitionConsumers(deps: PartitionConsumersDeps): Service {
  const { broker, clock, logger, owners, replicaId } = deps;
  const subscriptions = new Map<number, Subscription>();
  const yieldedAt = new Map<number, number>();
  let notices: Subscription | undefined;
  let timer: Timer | undefined;
  let stopping = false;
  let moving = Promise.resolve();
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
    if (stopping || now - (yieldedAt.get(partition) ?? -YIELD_MS) < YIELD_MS) return;
    yieldedAt.set(partition, now);
    deps.onMove?.('left');
    logger.info({ partition, owner: owners.ownerOf(partition) }, 'leaving a partition to its owner');
    // Not from within the handler: its batch must be acknowledged first.
    setImmediate(() => {
      moving = moving
        .then(() => move(partition))
        .catch((error: unknown) => {
          logger.error({ err: error, partition }, 'subscribing to a partition again failed');
        });
    });
  }

  async function move(partition: number): Promise<void> {
    await subscriptions.get(partition)?.close();
    // Stopped while it closed: `stop` waits for this and would close a new subscription at once.
    if (!isStopping()) await subscribe(partition);
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
      await moving;
      await Promise.all([...subscriptions.values()].map((subscription) => subscription.close()));
      subscriptions.clear();
      await notices?.close();
    },
    ready: () => timer !== undefined && broker.ready(),
  };
}
