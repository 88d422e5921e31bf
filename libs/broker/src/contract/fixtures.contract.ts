// Worlds, channels and a recording consumer, shared by the contract suites and the adapters' own tests.
import type { BroadcastChannel, DirectChannel, QueueChannel } from '@busbar/contracts';
import { createId } from '@busbar/core';
import type { MessageContext } from '../message-context';
import type { Broker, Delivery, PublishFailure } from '../port';

export interface BrokerWorld {
  /** Starts a broker, as another process would. */
  connect(): Promise<Broker>;
  /** Stops all connected brokers. */
  stop(): Promise<void>;
}

export interface WorldOptions {
  readonly maxQueued?: number;
  readonly maxRequests?: number;
  readonly drainMs?: number;
  readonly context?: MessageContext;
}

export interface ContractOptions {
  readonly createWorld: (options: WorldOptions) => BrokerWorld;
  /** Bodies are encoded as text between sender and consumer. */
  readonly asText: boolean;
}

/** Two started brokers of one new world; it is stopped after the test. */
export type InWorld = (options?: WorldOptions) => Promise<[Broker, Broker]>;

export interface Numbered {
  readonly v?: number;
  readonly n: number;
}

/** A negative number is encoded as text that cannot be decoded. */
export function testQueue(partitioned = true): QueueChannel<Numbered> {
  return {
    ...about(),
    kind: 'queue',
    partitioned,
    version: 1,
    encode: (body) => (body.n < 0 ? '{' : JSON.stringify(body)),
    decode: (body) => body as Numbered,
  };
}

export function testBroadcast(): BroadcastChannel<Numbered> {
  return { ...about(), kind: 'broadcast' };
}

export function testDirect(shared = false): DirectChannel<Numbered, Numbered> {
  return { ...about(), kind: 'direct', shared };
}

/** `enqueue` as a promise of undefined or the failure. */
export function enqueued(
  broker: Broker,
  channel: QueueChannel<Numbered>,
  n: number,
): Promise<PublishFailure | undefined> {
  return new Promise((resolve) => broker.enqueue(channel, 0, { n }, resolve));
}

/** A handler that records its batches, and waits for `gate` in each. */
export function recorder(gate: (batch: number) => Promise<void> = () => Promise.resolve()) {
  const batches: (readonly Delivery<Numbered>[])[] = [];
  return {
    batches,
    numbers: () => batches.flat().map(({ body }) => body?.n),
    handle: async (batch: readonly Delivery<Numbered>[]) => {
      batches.push(batch);
      await gate(batches.length);
    },
  };
}

export const OPTIONS = { maxBatch: 100 };

export function never(): Promise<void> {
  return new Promise(() => undefined);
}

function about() {
  return {
    name: `test.${createId()}`,
    purpose: 'For a test.',
    publishedBy: ['test'],
    consumedBy: ['test'],
    schema: {},
  };
}
