// Unconfirmed publishing: letters, requests, responses, broadcasts.
import type { Options } from 'amqplib';
import { MAX_BODY_BYTES } from './codec';
import type { AmqpSession } from './session';
import type { AmqpSettings } from './settings';

// The most bytes that amqplib may buffer for a slow socket; beyond that, letters are dropped.
const BACKLOG_MAX = 50_000;

interface Letter {
  readonly exchange: string;
  readonly routingKey: string;
  readonly content: Buffer;
  readonly options?: Options.Publish;
}

export type LetterSender = ReturnType<typeof createLetterSender>;

/** `returned` is called with the message id of every mandatory letter without a listener. */
export function createLetterSender({ logger }: AmqpSettings, returned: (messageId: string) => void) {
  let session: AmqpSession | undefined;
  let backlog = 0;

  return {
    attach(attached: AmqpSession) {
      session = attached;
      backlog = 0;
      attached.sends.on('return', ({ properties }) => returned(String(properties.messageId)));
      attached.sends.on('drain', () => {
        backlog = 0;
      });
    },
    detach() {
      session = undefined;
    },
    /** False when the letter was not passed to the connection. */
    send({ exchange, routingKey, content, options }: Letter): boolean {
      if (!session?.alive() || session.blocked() || backlog >= BACKLOG_MAX) return false;
      if (content.length > MAX_BODY_BYTES) {
        logger.error({ bytes: content.length, limit: MAX_BODY_BYTES }, 'a letter is too large for RabbitMQ');
        return false;
      }
      try {
        if (!session.sends.publish(exchange, routingKey, content, { persistent: false, ...options })) backlog += 1;
        return true;
      } catch (err) {
        logger.debug({ err }, 'publishing on a channel that is closing');
        return false;
      }
    },
  };
}
