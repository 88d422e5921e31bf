// The kinds of channel of the broker port. `channels.ts` is the table of all channels.
import type { Schema } from './schema';

interface ChannelBase<Body> {
  readonly name: string;
  /** One sentence on sender, content and receiver: the description in the AsyncAPI document. */
  readonly purpose: string;
  readonly publishedBy: readonly string[];
  readonly consumedBy: readonly string[];
  readonly schema: Schema<Body>;
}

/**
 * A durable queue, or a numbered set of them: persistent, mandatory, confirmed; bodies are consumed in order and
 * acknowledged.
 */
export interface QueueChannel<Body> extends ChannelBase<Body> {
  readonly kind: 'queue';
  readonly partitioned: boolean;
  /** The newest version of bodies that this process knows (`versionOf`). Newer bodies stay in the queue. */
  readonly version: number;
  /** Convert a body to JSON text, and parsed JSON back to a body. Absent: plain JSON. */
  readonly encode?: (body: Body) => string;
  readonly decode?: (body: unknown) => Body;
}

/** Reaches every present listener; nothing is stored for the others. */
export interface BroadcastChannel<Body> extends ChannelBase<Body> {
  readonly kind: 'broadcast';
}

/**
 * Reaches the listener at an address (`{name}.{key}`); the sender is notified where there is none. `shared`: several
 * may listen at one address, and each body reaches one of them. Otherwise an address has one owner.
 */
export interface DirectChannel<Body, Answer = never> extends ChannelBase<Body> {
  readonly kind: 'direct';
  readonly shared: boolean;
  /** The newest version of requests that this process knows (`versionOf`). Newer ones are refused. Absent: 1. */
  readonly version?: number;
  readonly answerSchema?: Schema<Answer>;
}

export type Channel = QueueChannel<unknown> | BroadcastChannel<unknown> | DirectChannel<unknown, unknown>;

export function queue<Body>(channel: Omit<QueueChannel<Body>, 'kind'>): QueueChannel<Body> {
  return { kind: 'queue', ...channel };
}

export function broadcast<Body>(channel: Omit<BroadcastChannel<Body>, 'kind'>): BroadcastChannel<Body> {
  return { kind: 'broadcast', ...channel };
}

export function direct<Body, Answer = never>(
  channel: Omit<DirectChannel<Body, Answer>, 'kind'>,
): DirectChannel<Body, Answer> {
  return { kind: 'direct', ...channel };
}
