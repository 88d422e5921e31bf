import type { Channel, ConsumeMessage } from 'amqplib';
import { guarded, guardedAnswer } from '../guarded';
import type { AmqpSettings } from './settings';
import type { Subscriber } from './subscribers';
import { declareOwnQueue, declareSharedQueue } from './topology';

export interface AddressListenerDeps {
  readonly settings: AmqpSettings;
  readonly exchange: string;
  readonly routingKey: string;
  /**
   * Several processes consume from the same queue, and each message reaches one of them. Otherwise the queue is
   * exclusive and new for each channel.
   */
  readonly shared: boolean;
  /** The most messages whose handlers run at a time. Absent: a handler is done when it returns. */
  readonly concurrency?: number;
  readonly handle: (message: ConsumeMessage) => Promise<void> | void;
}

/** Listens at an address of an exchange: declares, binds and consumes anew on every channel it is given. */
export function createAddressListener(deps: AddressListenerDeps): Subscriber {
  const { settings, exchange, routingKey, concurrency } = deps;
  const { logger } = settings;
  const what = `address ${routingKey}`;

  const accept = (channel: Channel, message: ConsumeMessage): void => {
    if (concurrency === undefined) {
      guarded(logger, what, () => void deps.handle(message));
      return;
    }
    // Acknowledged even when the handler fails: it would fail again.
    void guardedAnswer(logger, what, async () => deps.handle(message)).then(() => {
      try {
        channel.ack(message);
      } catch (err) {
        logger.debug({ err, what }, 'acknowledging a letter on a channel that is closing');
      }
    });
  };

  return {
    what,
    async open(channel, lost) {
      const queue = deps.shared ? await declareSharedQueue(channel, routingKey) : await declareOwnQueue(channel);
      await channel.bindQueue(queue, exchange, routingKey);
      if (concurrency !== undefined) await channel.prefetch(concurrency);
      const onMessage = (message: ConsumeMessage | null): void => {
        if (message) accept(channel, message);
        else lost();
      };
      await channel.consume(queue, onMessage, { noAck: concurrency === undefined });
    },
    closed: () => undefined,
  };
}
