// The kinds of channel that the broker port knows. A channel is a name and a body type; `channels.ts` is the table of all.

interface ChannelBase<Body> {
  readonly name: string;
  /** One sentence: who says what to whom. It is the description in the AsyncAPI document. */
  readonly purpose: string;
  readonly publishedBy: readonly string[];
  readonly consumedBy: readonly string[];
  /** JSON Schema of a body. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** Only ever undefined: carries the body's type. */
  readonly body?: Body;
}

/** A durable queue, or a numbered row of them: persistent, mandatory, confirmed; bodies are consumed in order and acknowledged. */
export interface QueueChannel<Body> extends ChannelBase<Body> {
  readonly kind: 'queue';
  readonly partitioned: boolean;
  /** The newest version of bodies that this program knows (`versionOf`). What is newer is left in the queue. */
  readonly version: number;
  /** How a body becomes JSON text where it must, and how a body is made of that text's JSON. Absent: as it is. */
  readonly encode?: (body: Body) => string;
  readonly decode?: (body: unknown) => Body;
}

/** Reaches every listener that is there now; nothing is kept for those who are not. */
export interface BroadcastChannel<Body> extends ChannelBase<Body> {
  readonly kind: 'broadcast';
}

/**
 * Reaches whoever listens at an address (`{name}.{key}`), or tells the sender that nobody does.
 * `shared`: many may listen at one address and each body reaches one of them; otherwise an address has one owner.
 */
export interface DirectChannel<Body, Answer = never> extends ChannelBase<Body> {
  readonly kind: 'direct';
  readonly shared: boolean;
  readonly answerSchema?: Readonly<Record<string, unknown>>;
  /** Only ever undefined: carries the answer's type. */
  readonly answer?: Answer;
}

export type Channel = QueueChannel<unknown> | BroadcastChannel<unknown> | DirectChannel<unknown, unknown>;
