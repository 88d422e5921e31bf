/** A part of the process with a life cycle. `start` resolves when it serves, `stop` when it is quiet; both idempotent. */
export interface Service {
  readonly name: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** True while it can do its work; becomes false before `stop` closes anything. */
  ready(): boolean;
}
