import type { DirectChannel } from '@busbar/contracts';
import { AppError } from '@busbar/core';
import type { ConsumeMessage } from 'amqplib';
import { guarded } from '../guarded';
import { inContext, type MessageHeaders } from '../message-context';
import type { BrokerParts } from '../open-subscriptions';
import type { PendingRequests } from '../pending-requests';
import type { Broker, Subscription } from '../port';
import { createResponder } from '../responder';
import { createAddressListener, type AddressListenerDeps } from './address-listener';
import { decodeLetter, encodeLetter } from './codec';
import type { LetterSender } from './letter-sender';
import type { AmqpSettings } from './settings';
import type { Subscriber, Subscribers } from './subscribers';
import { BROADCAST_EXCHANGE, declareOwnQueue, DIRECT_EXCHANGE } from './topology';

// Running handlers of requests in one process. Requests to chargers take long; shared addresses spread their requests
// by this limit.
const OWN_CONCURRENCY = 1_000;
const SHARED_CONCURRENCY = 100;
/** The type of a response without an answer. */
const UNSUPPORTED = 'unsupported_version';

interface AmqpLettersDeps extends BrokerParts {
  readonly settings: AmqpSettings;
  readonly sender: LetterSender;
  readonly pending: PendingRequests;
  readonly subscribers: Subscribers;
}

export interface AmqpLetters {
  readonly port: Pick<Broker, 'broadcast' | 'listen' | 'post' | 'receive' | 'request' | 'respond'>;
  /** The inbox for responses, added to the subscribers from the start. */
  readonly inbox: Subscriber;
}

type Handle = (body: unknown, message: ConsumeMessage) => Promise<void> | void;

/** The half of the broker without storage: broadcasts, letters to an address, requests. */
export function createAmqpLetters(deps: AmqpLettersDeps): AmqpLetters {
  const { settings, sender, pending, subscribers } = deps;
  const { logger, context } = settings;
  let inboxQueue: string | undefined;

  const listenAt = async (
    where: Omit<AddressListenerDeps, 'settings' | 'handle'>,
    handle: Handle,
  ): Promise<Subscription> => {
    deps.mustRun();
    const onMessage = (message: ConsumeMessage): Promise<void> | void => {
      const letter = readLetter(message);
      if (letter) return inContext(context, headersOf(message), () => handle(letter.body, message));
      logger.warn({ address: where.routingKey }, 'a letter was dropped because it is not JSON');
    };
    const close = await subscribers.add(createAddressListener({ settings, ...where, handle: onMessage }));
    return deps.subscriptions.add(close);
  };

  /** The options with the headers of the sender's context. */
  const sent = (): { readonly options?: { readonly headers: MessageHeaders } } => {
    const headers = context?.headers();
    return headers === undefined ? {} : { options: { headers } };
  };

  return {
    port: {
      broadcast(channel, body) {
        sender.send({ exchange: BROADCAST_EXCHANGE, routingKey: channel.name, content: encodeLetter(body), ...sent() });
      },
      // Bodies have the type of the channel, here and below.
      listen: (channel, handler) =>
        listenAt({ exchange: BROADCAST_EXCHANGE, routingKey: channel.name, shared: false }, (body) =>
          handler(body as never),
        ),

      post(channel, key, body) {
        const letter = { exchange: DIRECT_EXCHANGE, routingKey: addressOf(channel, key), content: encodeLetter(body) };
        sender.send({ ...letter, ...sent() });
      },
      receive: (channel, key, handler) => listenAt(directAddress(channel, key), (body) => handler(body as never)),

      async request(channel, key, body, deadlineMs) {
        const letter = { exchange: DIRECT_EXCHANGE, routingKey: addressOf(channel, key), content: encodeLetter(body) };
        const replyTo = inboxQueue;
        const opened = replyTo === undefined ? undefined : pending.open<never>(deadlineMs);
        if (!opened || replyTo === undefined) return { outcome: 'unavailable' };
        const { id, outcome } = opened;
        const expiration = String(Math.max(1, Math.ceil(deadlineMs)));
        const options = { mandatory: true, messageId: id, correlationId: id, replyTo, expiration, ...sent().options };
        if (!sender.send({ ...letter, options })) pending.complete(id, { outcome: 'unavailable' });
        return outcome;
      },
      respond: (channel, key, handler) => {
        const concurrency = channel.shared ? SHARED_CONCURRENCY : OWN_CONCURRENCY;
        const respondTo = createResponder({ channel, address: addressOf(channel, key), handler, logger });
        return listenAt({ ...directAddress(channel, key), concurrency }, async (body, { properties }) => {
          const response = await respondTo(body);
          if (!response || typeof properties.replyTo !== 'string') return;
          // A response that cannot be sent is dropped: the sender of the request waits until its deadline.
          const options = { correlationId: String(properties.correlationId), type: response.outcome };
          const content = encodeLetter('answer' in response ? response.answer : undefined);
          sender.send({ exchange: '', routingKey: properties.replyTo, content, options });
        });
      },
    },
    inbox: {
      what: 'the inbox for responses',
      async open(channel, lost) {
        const queue = await declareOwnQueue(channel);
        const onMessage = (message: ConsumeMessage | null): void => {
          if (!message) {
            lost();
            return;
          }
          const { properties } = message;
          const id = String(properties.correlationId);
          const letter = readLetter(message);
          if (!letter) logger.warn({}, 'a response was dropped because it is not JSON');
          else if (properties.type === UNSUPPORTED) pending.complete(id, { outcome: UNSUPPORTED });
          else pending.complete(id, { outcome: 'answered', answer: letter.body });
        };
        await channel.consume(queue, (message) => guarded(logger, 'inbox', () => onMessage(message)), { noAck: true });
        inboxQueue = queue;
      },
      closed() {
        inboxQueue = undefined;
        pending.completeAll({ outcome: 'lost' });
      },
    },
  };
}

function headersOf({ properties }: ConsumeMessage): MessageHeaders | undefined {
  const headers: unknown = properties.headers;
  if (typeof headers !== 'object' || headers === null) return undefined;
  const texts = Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return texts.length === 0 ? undefined : Object.fromEntries(texts);
}

function addressOf(channel: { readonly name: string }, key: string): string {
  const address = `${channel.name}.${key}`;
  // The protocol's limit for routing keys, for which amqplib throws a less helpful error.
  if (Buffer.byteLength(address) > 255) throw new AppError('internal', `An address of ${channel.name} is too long.`);
  return address;
}

function directAddress(
  channel: Pick<DirectChannel<unknown>, 'name' | 'shared'>,
  key: string,
): Pick<AddressListenerDeps, 'exchange' | 'routingKey' | 'shared'> {
  return { exchange: DIRECT_EXCHANGE, routingKey: addressOf(channel, key), shared: channel.shared };
}

function readLetter({ content }: ConsumeMessage): { readonly body: unknown } | undefined {
  try {
    return { body: decodeLetter(content) };
  } catch {
    return undefined;
  }
}
