import type { Timestamp } from '../timestamp';

/** Deletes what is older than its retention, at most `limit` rows a call and kind; how many went. */
export interface RetentionStore {
  /** Deletes at most `limit` of each kind, and gives how many of each. */
  prune(before: PruneBefore, limit: number): Promise<PruneCounts>;
  /** By themselves, since each that is deleted is told of. */
  pruneDeadLetters(before: Timestamp, limit: number): Promise<number>;
  /** The time that deletion by age takes for now, whatever a clock says. Undefined before the first `moveRetainedUntil`. */
  retainedUntil(): Promise<Timestamp | undefined>;
  /** By compare-and-set: false when it is not `from` (undefined: not there) any more. */
  moveRetainedUntil(from: Timestamp | undefined, to: Timestamp): Promise<boolean>;
  /** When the newest row was received, of all that chargers reported. Undefined when there is none. */
  newestRowAt(): Promise<Timestamp | undefined>;
}

/** Rows deleted, by the name of their collection. */
export type PruneCounts = Readonly<Record<string, number>>;

export interface PruneBefore {
  readonly log: Timestamp;
  readonly history: Timestamp;
  /** Of sessions that are over: when their start was received, and when they ended. Those in progress stay. */
  readonly sessions: Timestamp;
  /** Of API keys: when they were revoked. */
  readonly keys: Timestamp;
  /** What expired by then. */
  readonly answers: Timestamp;
  readonly claims: Timestamp;
  /** Of commands: when they were requested. */
  readonly commands: Timestamp;
  /** Of rejected connection attempts. */
  readonly attempts: Timestamp;
  /** Of dead gateway ids: when they died. */
  readonly gateways: Timestamp;
}
