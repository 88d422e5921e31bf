// What exists in RabbitMQ, and with which arguments. A queue's arguments are fixed when it is first declared: another
// value later is refused by the server (406), so a change here needs a procedure in the README.
import type { Channel } from 'amqplib';
import type { AmqpSettings } from './settings';

/** Letters and requests: routing key `{channel}.{address}`. */
export const DIRECT_EXCHANGE = 'busbar.direct';
/**
 * Broadcasts: routing key = the channel's name. One direct exchange whose queues share a key copies like a fanout for
 * each channel would, and it is there before anybody broadcasts on a channel that this process does not listen to.
 */
export const BROADCAST_EXCHANGE = 'busbar.broadcast';

// The broker must never judge: RabbitMQ 4 by default drops what was delivered 20 times. 3.10 takes no -1.
const DELIVERY_LIMIT = 2_147_483_647;
const LETTERS_MAX = 50_000;
const SHARED_TTL_MS = 60_000;

export async function declareExchanges(channel: Channel): Promise<void> {
  await channel.assertExchange(DIRECT_EXCHANGE, 'direct', { durable: true });
  await channel.assertExchange(BROADCAST_EXCHANGE, 'direct', { durable: true });
}

/** A quorum queue that refuses when full, and for one consumer at a time when it is one of a partitioned row. */
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
      // The default, drop-head, throws the oldest away and confirms the newest all the same.
      'x-overflow': 'reject-publish',
      'x-max-length': limits.maxQueued,
      'x-max-length-bytes': limits.maxQueuedBytes,
      'x-delivery-limit': DELIVERY_LIMIT,
      ...(partitioned ? { 'x-single-active-consumer': true } : {}),
    },
  });
}

/** A queue of this connection alone, named by the server: a fixed name may still be held by a half-open old connection. */
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
 * The queue that all who share an address consume. It goes with the last of them. It is declared durable because
 * RabbitMQ 4.3 refuses queues that are neither durable nor exclusive; its messages are not persistent.
 */
export async function declareSharedQueue(channel: Channel, name: string): Promise<string> {
  const { queue } = await channel.assertQueue(name, {
    durable: true,
    autoDelete: true,
    // Declared and never consumed, or left over by a restart: autoDelete does not see these.
    expires: SHARED_TTL_MS,
    messageTtl: SHARED_TTL_MS,
    maxLength: LETTERS_MAX,
    overflow: 'reject-publish',
  });
  return queue;
}
