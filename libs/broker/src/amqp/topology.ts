// The exchanges and queues in RabbitMQ with their arguments. RabbitMQ refuses to redeclare a queue with other arguments
// (406), so a change here needs a procedure in the README.
import type { Channel } from 'amqplib';
import type { AmqpSettings } from './settings';

/** Letters and requests: routing key `{channel}.{address}`. */
export const DIRECT_EXCHANGE = 'busbar.direct';
/**
 * Broadcasts: the routing key is the channel's name. A direct exchange whose queues share a key copies as a fanout
 * does, and exists before the first listener.
 */
export const BROADCAST_EXCHANGE = 'busbar.broadcast';

// The broker must never dead-letter: RabbitMQ 4 by default drops a message after 20 deliveries. 3.10 does not accept
// -1.
const DELIVERY_LIMIT = 2_147_483_647;
const LETTERS_MAX = 50_000;
const SHARED_TTL_MS = 60_000;

export async function declareExchanges(channel: Channel): Promise<void> {
  await channel.assertExchange(DIRECT_EXCHANGE, 'direct', { durable: true });
  await channel.assertExchange(BROADCAST_EXCHANGE, 'direct', { durable: true });
}

/** A quorum queue that rejects when full, with a single active consumer where the channel is partitioned. */
export async function declareDurableQueue(
  channel: Channel,
  name: string,
  partitioned: boolean,
  limits: Pick<AmqpSettings, 'maxQueued' | 'maxQueuedBytes'>,
): Promise<void> {
  await channel.assertQueue(name, {
    durable: true,
    arguments: {
      'x-queue-type': 'quorum',
      // The default, drop-head, drops the oldest and confirms the newest all the same.
      'x-overflow': 'reject-publish',
      'x-max-length': limits.maxQueued,
      'x-max-length-bytes': limits.maxQueuedBytes,
      'x-delivery-limit': DELIVERY_LIMIT,
      ...(partitioned ? { 'x-single-active-consumer': true } : {}),
    },
  });
}

/** An exclusive queue with a server-generated name: a half-open old connection may still hold a fixed name. */
export async function declareOwnQueue(channel: Channel): Promise<string> {
  const { queue } = await channel.assertQueue('', {
    exclusive: true,
    durable: false,
    autoDelete: true,
    maxLength: LETTERS_MAX,
    overflow: 'reject-publish',
  });
  return queue;
}

/**
 * The queue that all listeners of a shared address consume, deleted with the last of them. Durable because RabbitMQ 4.3
 * refuses queues that are neither durable nor exclusive; its messages are not persistent.
 */
export async function declareSharedQueue(channel: Channel, name: string): Promise<string> {
  const { queue } = await channel.assertQueue(name, {
    durable: true,
    autoDelete: true,
    // For queues that were declared and never consumed, or survived a restart: autoDelete ignores these.
    expires: SHARED_TTL_MS,
    messageTtl: SHARED_TTL_MS,
    maxLength: LETTERS_MAX,
    overflow: 'reject-publish',
  });
  return queue;
}
