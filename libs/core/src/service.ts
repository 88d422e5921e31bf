/**
 * A part of the process with a life cycle. `start` resolves when it serves, `stop` when it has stopped; both are
 * idempotent.
 */
export interface Service {
  readonly name: string;
  /** The limit of its start, where that exceeds the usual time. */
  readonly startWithinMs?: number;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** True while it can do its work; becomes false before `stop` closes anything. */
  ready(): boolean;
}
