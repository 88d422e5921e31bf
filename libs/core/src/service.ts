/** A part of the process with a life cycle. `start` resolves when it serves, `stop` when it is quiet; both idempotent. */
export interface Service {
  readonly name: string;
  /** How long its start may take, where that is longer than what is usual. */
  readonly startWithinMs?: number;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** True while it can do its work; becomes false before `stop` closes anything. */
  ready(): boolean;
}
