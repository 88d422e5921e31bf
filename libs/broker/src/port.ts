// What the services need of a broker, and no more. Adapters: memory/ (one process) and amqp/ (RabbitMQ); both pass
// broker.contract.ts. Bodies belong to the broker once given, and receivers must not change them.
import type { BroadcastChannel, DirectChannel, QueueChannel } from '@busbar/contracts';
import type { Service } from '@busbar/core';

/** Why a body was not taken. It may be given again, except for the last; the receiver tells doubles apart. */
export type PublishFailure =
  | 'unavailable' // no connection, or it was lost before the confirm
  | 'unroutable' // returned: no queue is there, or nobody listens at the address
  | 'refused' // nacked: the queue is full; or too much is unconfirmed
  | 'unsendable'; // by itself: it cannot be encoded, or is larger than the broker takes. Given again, it fails again

/** What names a queue, of a channel with any body. */
export type QueueAddress = Pick<QueueChannel<unknown>, 'name' | 'partitioned'>;

export interface Subscription {
  /** Resolves when nothing more will be delivered. What was delivered and not settled goes back, in order. Idempotent. */
  close(): Promise<void>;
}

export interface Delivery<Body> {
  /** Undefined when the text could not be decoded. */
  readonly body: Body | undefined;
  /** What went wrong in decoding. */
  readonly malformed?: Error;
  /** The text that could not be decoded; of a long one the first million characters. */
  readonly text?: string;
  /** Delivered before, to this or another consumer, and not acknowledged. */
  readonly redelivered: boolean;
}

export interface ConsumeOptions {
  /** The most deliveries handed over at once, fewer where they are large; also the bound on what is fetched ahead. */
  readonly maxBatch: number;
  /** Of all who consume the queue only the one longest subscribed gets deliveries; the next takes over when it closes or dies. */
  readonly singleActive: boolean;
  /**
   * Called right before the first batch since it was subscribed, and again after every reconnect: others may have had the
   * queue in between. No handler of this consumer runs then.
   */
  readonly onBegin?: () => void;
  /** Called each time that a body of a newer version than the channel's was met and left in the queue. */
  readonly onNewer?: () => void;
}

/**
 * A body of a newer version than the channel's is never handed over, nor is what is behind it: the consumer leaves the queue
 * to others, and subscribes again after a wait that doubles up to a minute.
 *
 * Handles a batch. When it resolves, the whole batch is acknowledged at once; while it runs, nothing else of this queue is
 * delivered. When it rejects, the same deliveries come again, in order, after a wait.
 */
export type BatchHandler<Body> = (batch: readonly Delivery<Body>[]) => Promise<void>;

export type RequestOutcome<Answer> =
  | { readonly outcome: 'answered'; readonly answer: Answer }
  /** Nobody listens at that address. Told at once, not after the deadline. */
  | { readonly outcome: 'nobody' }
  | { readonly outcome: 'timeout' }
  /** The broker is away, or too much waits: it was not sent. */
  | { readonly outcome: 'unavailable' }
  /** The broker was lost, or stopped, while waiting: whether anybody got it is not known. */
  | { readonly outcome: 'lost' };

export interface Broker extends Service {
  /** Called with true once everything is declared and subscribed (again), with false when the connection is lost. */
  onConnection(listener: (up: boolean) => void): () => void;

  /** Makes sure the durable queue(s) exist: `partitions` of them when the channel is partitioned. Again after every reconnect. */
  declareQueue<Body>(channel: QueueChannel<Body>, partitions?: number): Promise<void>;

  /**
   * Persistent, mandatory, confirmed. `done` is called once, never synchronously: without an argument when the body is
   * durable (in one process: when the consumer has stored it), else with the reason. Bodies given to one partition while
   * connected keep their order.
   */
  enqueue<Body>(
    channel: QueueChannel<Body>,
    partition: number,
    body: Body,
    done: (failure?: PublishFailure) => void,
  ): void;

  /** Consumes on a channel of its own; subscribed again after every reconnect until closed. Needs `declareQueue` first. */
  consume<Body>(
    channel: QueueChannel<Body>,
    partition: number,
    options: ConsumeOptions,
    handler: BatchHandler<Body>,
  ): Promise<Subscription>;

  /** To every listener that is there now, this process included. Lost without a word when the broker is away. */
  broadcast<Body>(channel: BroadcastChannel<Body>, body: Body): void;
  listen<Body>(channel: BroadcastChannel<Body>, handler: (body: Body) => void): Promise<Subscription>;

  /** To whoever listens at the address, without an answer. `done` tells whether somebody took it. */
  post<Body>(
    channel: DirectChannel<Body, unknown>,
    key: string,
    body: Body,
    done?: (failure?: PublishFailure) => void,
  ): void;
  /** Listens at an address; bound afresh after every reconnect. For bodies that want no answer. */
  receive<Body>(
    channel: DirectChannel<Body, unknown>,
    key: string,
    handler: (body: Body) => void,
  ): Promise<Subscription>;

  /** Sends and waits for the answer, at most `deadlineMs`. */
  request<Body, Answer>(
    channel: DirectChannel<Body, Answer>,
    key: string,
    body: Body,
    deadlineMs: number,
  ): Promise<RequestOutcome<Answer>>;
  /** Answers requests at an address. A handler that rejects leaves the asker to its deadline. */
  respond<Body, Answer>(
    channel: DirectChannel<Body, Answer>,
    key: string,
    handler: (body: Body) => Promise<Answer>,
  ): Promise<Subscription>;

  /** How many bodies wait in a queue, delivered ones not counted. For metrics and tests. */
  depth<Body>(channel: QueueChannel<Body>, partition: number): Promise<number>;
}
