import type { MessageContext } from '../message-context';
import { systemClock, type Clock, type Logger } from '@busbar/core';

/**
 * For metrics. `published` counts messages passed to RabbitMQ for a confirm; each ends as one of the next three, or is
 * lost.
 */
export type BrokerEvent = 'published' | 'confirmed' | 'returned' | 'nacked' | 'lost' | 'reconnected';

/** PEM: the authorities for RabbitMQ's certificate, and this process's own certificate. */
export interface AmqpTls {
  readonly ca?: string[];
  readonly crl?: string[];
  readonly cert?: string;
  readonly key?: string;
}

export interface AmqpBrokerOptions {
  /** `amqp://` or `amqps://`, credentials and virtual host included. */
  readonly url: string;
  /** Read for each `amqps://` connection. Default: public authorities, and no client certificate. */
  readonly readTls?: () => AmqpTls;
  readonly logger: Logger;
  readonly clock?: Clock;
  /** Called for events, for counters. `lost` and `reconnected` are of the connection. */
  readonly observe?: (event: BrokerEvent) => void;
  /** The most bodies in a durable queue. Fixed when the queue is first declared. Default 1,000,000. */
  readonly maxQueued?: number;
  /** The most bytes in a durable queue. Fixed when the queue is first declared. Default 1 GiB. */
  readonly maxQueuedBytes?: number;
  /** The most unconfirmed bodies of this process; more are rejected. Default 10,000. */
  readonly maxUnconfirmed?: number;
  /** The same in bytes. Default 128 MiB. */
  readonly maxUnconfirmedBytes?: number;
  /** The most pending requests of this process; more are `unavailable`. Default 10,000. */
  readonly maxRequests?: number;
  /** Closing and stopping wait at most this long for the current batch. Default 4,000. */
  readonly drainMs?: number;
  /** A failing batch is retried for this long before it returns to its queue. Default 600,000. */
  readonly holdMs?: number;
  /** The limit of one set-up step (a connection, a channel, a queue). Default 10,000. */
  readonly setupMs?: number;
  readonly context?: MessageContext | undefined;
}

export interface AmqpSettings extends Required<Omit<AmqpBrokerOptions, 'context'>>, Pick<AmqpBrokerOptions, 'context'> {
  /** The address without credentials, for logs and messages. */
  readonly shownUrl: string;
}

export function settingsOf(options: AmqpBrokerOptions): AmqpSettings {
  return {
    clock: systemClock,
    readTls: () => ({}),
    observe: () => undefined,
    maxQueued: 1_000_000,
    maxQueuedBytes: 1_073_741_824,
    maxUnconfirmed: 10_000,
    maxUnconfirmedBytes: 134_217_728,
    maxRequests: 10_000,
    drainMs: 4_000,
    // RabbitMQ closes the channel of a consumer that does not acknowledge a delivery for 30 minutes.
    holdMs: 600_000,
    setupMs: 10_000,
    ...options,
    shownUrl: withoutCredentials(options.url),
  };
}

function withoutCredentials(url: string): string {
  if (!URL.canParse(url)) return 'an address that is not a URL';
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}
