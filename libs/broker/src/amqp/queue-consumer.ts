// Consumes one durable queue in batches. One acknowledgement covers a batch. Deliveries that arrive meanwhile form the
// next batch, so the prefetch limits both together.
import type { QueueChannel } from '@busbar/contracts';
import type { OutageReporter } from '@busbar/core';
import type { Channel, ConsumeMessage } from 'amqplib';
import { createBatchRunner, type Batch } from '../batch-runner';
import { guarded } from '../guarded';
import type { BatchHandler, ConsumeOptions, Delivery } from '../port';
import { createStandby } from '../standby';
import { decodeBody } from './codec';
import type { AmqpSettings } from './settings';
import type { Subscriber } from './subscribers';

export interface QueueConsumer extends Subscriber {
  /** Takes no new batch; resolves when the current one is done, or after `withinMs`. */
  finish(withinMs: number): Promise<void>;
}

export interface QueueConsumerDeps<Body> {
  readonly settings: AmqpSettings;
  readonly channel: QueueChannel<Body>;
  readonly queue: string;
  readonly options: ConsumeOptions;
  readonly handler: BatchHandler<Body>;
  /** Declares the queue again, where this process declared it: it may have been deleted. */
  readonly declare: (channel: Channel) => Promise<void>;
  readonly outages: OutageReporter;
  readonly newer: OutageReporter;
}

/**
 * Bytes of bodies in one batch, but at least one body. Decoded, bodies of small values take ten times as much memory,
 * and every queue has a batch. Prefetched bodies stay encoded.
 */
const MAX_BATCH_BYTES = 1_048_576;

interface Open {
  readonly channel: Channel;
  readonly lost: (standbyMs?: number) => void;
  /** A batch was handed over. */
  begun: boolean;
}

export function createQueueConsumer<Body>(deps: QueueConsumerDeps<Body>): QueueConsumer {
  const { settings, queue, options, outages } = deps;
  const { clock, logger, holdMs } = settings;
  const standby = createStandby({ queue, newer: deps.newer, logger, onNewer: options.onNewer });
  let waiting: ConsumeMessage[] = [];
  let open: Open | undefined;

  const runner = createBatchRunner<Body>({
    queue,
    handler: deps.handler,
    next: () => next(),
    clock,
    logger,
    outages,
  });

  const next = (): Batch<Body> | undefined => {
    const from = open;
    if (!from || waiting.length === 0) return undefined;
    const { deliveries, newer } = decodeUpToNewer(
      deps.channel,
      waiting.slice(0, batchCount(waiting, options.maxBatch)),
    );
    if (deliveries.length === 0) {
      standBy(from, newer);
      return undefined;
    }
    if (!from.begun) guarded(logger, 'onBegin', () => options.onBegin?.());
    from.begun = true;
    const taken = waiting.splice(0, deliveries.length);
    const last = taken.at(-1);
    const since = clock.monotonicMs();
    return {
      deliveries,
      acknowledge() {
        // After a loss RabbitMQ redelivers the batch: its delivery tags are invalid on the new channel.
        if (open === from && last) acknowledge(from.channel, last);
        standby.over();
      },
      retain() {
        if (open !== from) return false;
        if (clock.monotonicMs() - since < holdMs) return true;
        logger.error({ queue, heldMs: holdMs }, 'a batch keeps failing: it returns to its queue');
        open = undefined;
        from.lost();
        return false;
      },
    };
  };

  /** Closing the channel requeues its deliveries in order for the next consumer. */
  const standBy = (from: Open, newer: number): void => {
    open = undefined;
    waiting = [];
    from.lost(standby.begin(newer));
  };

  const acknowledge = (channel: Channel, last: ConsumeMessage): void => {
    try {
      channel.ack(last, true);
    } catch (err) {
      // The channel is closing: the batch will be redelivered.
      logger.debug({ err, queue }, 'a batch could not be acknowledged');
    }
  };

  return {
    what: `queue ${queue}`,
    mayLag: true,
    async open(channel, lost) {
      await deps.declare(channel);
      await channel.prefetch(options.maxBatch);
      const opened: Open = { channel, lost, begun: false };
      waiting = [];
      open = opened;
      await channel.consume(queue, (message) => {
        if (open !== opened) return;
        if (!message) {
          // Cancelled by the server: the queue was deleted.
          lost();
          return;
        }
        waiting.push(message);
        runner.wake();
      });
    },
    closed() {
      open = undefined;
      waiting = [];
    },
    finish: (withinMs) => runner.finish(withinMs),
  };
}

/** The bodies before the first one of a newer version, and that version (0: none). */
function decodeUpToNewer<Body>(
  channel: QueueChannel<Body>,
  messages: readonly ConsumeMessage[],
): { readonly deliveries: readonly Delivery<Body>[]; readonly newer: number } {
  const deliveries: Delivery<Body>[] = [];
  for (const { content, fields } of messages) {
    const decoded = decodeBody(channel, content, fields.redelivered);
    if ('newer' in decoded) return { deliveries, newer: decoded.newer };
    deliveries.push(decoded);
  }
  return { deliveries, newer: 0 };
}

function batchCount(waiting: readonly ConsumeMessage[], max: number): number {
  let bytes = 0;
  const tooMuch = waiting.findIndex(({ content }) => (bytes += content.length) > MAX_BATCH_BYTES);
  return Math.min(max, tooMuch === -1 ? waiting.length : Math.max(1, tooMuch));
}
