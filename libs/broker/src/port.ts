// The broker port. Adapters: memory/ (one process) and amqp/ (RabbitMQ); both pass broker.contract.ts. A published body
// belongs to the broker, and receivers must not change it.
import type { BroadcastChannel, DirectChannel, QueueChannel } from '@busbar/contracts';
import type { Service } from '@busbar/core';

/**
 * The reasons why a body was not accepted. It may be sent again, except for the last reason; the receiver must recognize
 * duplicates.
 */
export type PublishFailure =
  | 'unavailable' // no connection, or it was lost before the confirm
  | 'unroutable' // returned: the queue does not exist
  | 'refused' // nacked: the queue is full, or too much is unconfirmed
  | 'unsendable'; // the body itself is at fault: it cannot be encoded, or is too large

/** The name of a queue, for a channel with any body. */
export type QueueAddress = Pick<QueueChannel<unknown>, 'name' | 'partitioned'>;

export interface Subscription {
  /** Resolves when nothing more will be delivered. Unacknowledged deliveries are requeued in order. Idempotent. */
  close(): Promise<void>;
}

export interface Delivery<Body> {
  /** Undefined when the text could not be decoded. */
  readonly body: Body | undefined;
  /** The decoding error. */
  readonly malformed?: Error;
  /** The undecodable text, at most its first million characters. */
  readonly text?: string;
  /** Delivered before, to this or another consumer, and not acknowledged. */
  readonly redelivered: boolean;
}

export interface ConsumeOptions {
  /** The most deliveries in a batch; also the prefetch. Large bodies make smaller batches. */
  readonly maxBatch: number;
  /**
   * Called right before the first batch of a subscription, and after every reconnect: others may have consumed in
   * between. No handler of this consumer runs then.
   */
  readonly onBegin?: () => void;
  /** Called each time that a body of a newer version was found and left in the queue. */
  readonly onNewer?: () => void;
}

/**
 * Handles a batch. When it resolves, the whole batch is acknowledged; while it runs, nothing else of this queue is
 * delivered. When it rejects, the same deliveries are retried in order after a wait. A body of a newer version than the
 * channel's is never delivered, nor are those behind it. The consumer then goes on standby, and subscribes again after a
 * wait that doubles up to a minute.
 */
export type BatchHandler<Body> = (batch: readonly Delivery<Body>[]) => Promise<void>;

export type RequestOutcome<Answer> =
  | { readonly outcome: 'answered'; readonly answer: Answer }
  /** Nobody listens at that address. Known at once, not after the deadline. */
  | { readonly outcome: 'nobody' }
  /** The listener is too old for this version of the request, and did nothing. */
  | { readonly outcome: 'unsupported_version' }
  | { readonly outcome: 'timeout' }
  /** The broker is unavailable, or too many requests are pending: nothing was sent. */
  | { readonly outcome: 'unavailable' }
  /** The broker was lost, or stopped, while waiting: whether the request was received is unknown. */
  | { readonly outcome: 'lost' };

export interface Broker extends Service {
  /** Called with true once everything is declared and subscribed, with false when the connection is lost. */
  onConnection(listener: (up: boolean) => void): () => void;

  /** Declares the durable queue, or `partitions` queues of a partitioned channel; again after every reconnect. */
  declareQueue<Body>(channel: QueueChannel<Body>, partitions?: number): Promise<void>;

  /**
   * Persistent, mandatory, confirmed. `done` is called once, never synchronously. It gets no argument when the body is
   * durable (in one process: when the consumer has stored it), and the reason otherwise. Bodies published to one
   * partition while connected keep their order.
   */
  enqueue<Body>(
    channel: QueueChannel<Body>,
    partition: number,
    body: Body,
    done: (failure?: PublishFailure) => void,
  ): void;

  /**
   * Consumes on a channel of its own; subscribed again after every reconnect until closed. `declareQueue` must come
   * first. Only the longest subscribed consumer of a partition gets deliveries; the next takes over when it closes or
   * dies.
   */
  consume<Body>(
    channel: QueueChannel<Body>,
    partition: number,
    options: ConsumeOptions,
    handler: BatchHandler<Body>,
  ): Promise<Subscription>;

  /** To every present listener, this process included. Silently lost while the broker is unavailable. */
  broadcast<Body>(channel: BroadcastChannel<Body>, body: Body): void;
  listen<Body>(channel: BroadcastChannel<Body>, handler: (body: Body) => void): Promise<Subscription>;

  /** To the listener at the address, without a response. Silently lost where nobody listens. */
  post<Body>(channel: DirectChannel<Body, unknown>, key: string, body: Body): void;
  /** Listens at an address for bodies without a response; bound again after every reconnect. */
  receive<Body>(
    channel: DirectChannel<Body, unknown>,
    key: string,
    handler: (body: Body) => void,
  ): Promise<Subscription>;

  /** Sends and waits for the response, at most `deadlineMs`. */
  request<Body, Answer>(
    channel: DirectChannel<Body, Answer>,
    key: string,
    body: Body,
    deadlineMs: number,
  ): Promise<RequestOutcome<Answer>>;
  /**
   * Responds to requests at an address. When the handler rejects, the sender waits until its deadline. A request of a newer
   * version than the channel's does not reach the handler: the sender gets `unsupported_version`.
   */
  respond<Body, Answer>(
    channel: DirectChannel<Body, Answer>,
    key: string,
    handler: (body: Body) => Promise<Answer>,
  ): Promise<Subscription>;

  /** Waiting bodies of a queue, without delivered ones. For metrics and tests. */
  depth<Body>(channel: QueueChannel<Body>, partition: number): Promise<number>;
}
