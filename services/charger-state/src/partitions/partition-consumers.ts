// Subscribes to every partition and hands those of other replicas to their owners. The broker activates the first subscriber.
// An active replica that is not the owner finishes its batch, closes the channel and subscribes again behind the others. On
// standby it closes all. It never cancels or rejects deliveries: that would lose their order.
import type { BatchHandler, Broker, Subscription } from '@busbar/broker';
import { channels, REPORT_VERSION, type ReportBatch } from '@busbar/contracts';
import { createOutageReporter, type Clock, type Logger } from '@busbar/core';
import {
  createParticipation,
  createRetainedSubscription,
  type Owners,
  type RetainedSubscription,
} from '@busbar/runtime';

export interface PartitionConsumersDeps {
  readonly broker: Broker;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly replicaId: string;
  readonly partitions: number;
  readonly owners: Owners;
  readonly handler: (batch: Parameters<BatchHandler<ReportBatch>>[0], partition: number) => Promise<void>;
  /** A cheap read of the store; rejects while it is unavailable. */
  readonly probe: () => Promise<unknown>;
  /**
   * This replica became the active consumer of a partition, or is again after it lost its channel, and gets the first
   * batch. Or it transferred the partition to another replica.
   */
  readonly onMove?: (what: 'taken' | 'left', partition: number) => void;
  /** This replica goes on standby, since it cannot reach the store while others can; or it is active again. */
  readonly onActiveChange?: (isActive: boolean) => void;
  /** A report of a newer version was left in its partition. */
  readonly onNewer?: () => void;
}

/**
 * Bodies in one batch, and prefetched; each holds up to 200 reports of a gateway. The rest waits in its queue, where it
 * costs no memory here and its depth is visible.
 */
const MAX_BATCH = 20;
/**
 * A partition is handed over at most this often, so that replicas that see each other late do not pass it to and fro.
 */
const YIELD_MS = 5_000;

export function createPartitionConsumers(deps: PartitionConsumersDeps) {
  const { broker, clock, logger, owners, replicaId, probe } = deps;
  const yieldedAt = new Map<number, number>();
  /** Partitions of which this replica has received a batch since it subscribed. */
  const active = new Set<number>();
  let kept: readonly RetainedSubscription[] = [];
  const outages = createOutageReporter({
    clock,
    logger,
    began: 'a partition cannot be subscribed again; it is tried until it can',
    ended: 'every partition is subscribed again',
  });
  const participation = createParticipation({
    broker,
    clock,
    logger,
    replicaId,
    owners,
    channel: channels.replicas,
    reads: REPORT_VERSION,
    probe,
    onChange: follow,
  });
  const ownerOf = (partition: number): string => owners.ownerOf(String(partition));

  function follow(isActive: boolean): void {
    for (const [partition, subscription] of kept.entries()) {
      if (!isActive) left(partition);
      subscription.want(isActive);
    }
    deps.onActiveChange?.(isActive);
  }

  function subscribe(partition: number): Promise<Subscription> {
    const handler: BatchHandler<ReportBatch> = async (batch) => {
      try {
        await deps.handler(batch, partition);
      } catch (error) {
        participation.workEnded(error);
        throw error;
      }
      participation.workEnded();
      if (ownerOf(partition) !== replicaId) giveUp(partition);
    };
    const onBegin = (): void => {
      active.add(partition);
      deps.onMove?.('taken', partition);
    };
    const onNewer = (): void => deps.onNewer?.();
    const options = { maxBatch: MAX_BATCH, onBegin, onNewer };
    return broker.consume(channels.reports, partition, options, handler);
  }

  function left(partition: number): void {
    if (active.delete(partition)) deps.onMove?.('left', partition);
  }

  function giveUp(partition: number): void {
    const now = clock.monotonicMs();
    if (!kept[partition]?.isOpen() || now - (yieldedAt.get(partition) ?? -YIELD_MS) < YIELD_MS) return;
    yieldedAt.set(partition, now);
    left(partition);
    logger.info({ partition, owner: ownerOf(partition) }, 'leaving a partition to its owner');
    kept[partition].renew();
  }

  return {
    name: 'partition-consumers',
    async start() {
      if (kept.length > 0) return;
      await broker.declareQueue(channels.reports, deps.partitions);
      kept = Array.from({ length: deps.partitions }, (_, partition) =>
        createRetainedSubscription({ what: String(partition), open: () => subscribe(partition), clock, outages }),
      );
      await participation.start();
      await Promise.all(kept.map((subscription) => subscription.start()));
    },
    async stop() {
      if (kept.length === 0) return;
      const open = kept;
      kept = [];
      await participation.stop();
      await Promise.all(open.map((subscription) => subscription.stop()));
    },
    /** The number of partitions that this replica owns; 0 on standby and while it does not run. */
    owned(): number {
      if (!participation.isActive()) return 0;
      return kept.filter((_, partition) => ownerOf(partition) === replicaId).length;
    },
    ready: () => kept.length > 0 && broker.ready() && participation.isActive() && !outages.active(),
  };
}
