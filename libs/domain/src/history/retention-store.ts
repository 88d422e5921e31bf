import type { Timestamp } from '../timestamp';

/** Deletes what exceeds its retention. */
export interface RetentionStore {
  /** Deletes at most `limit` rows of each kind, and returns the count of each. */
  prune(before: PruneBefore, limit: number): Promise<PruneCounts>;
  /** Separate, since each deleted letter is counted and logged. */
  pruneDeadLetters(before: Timestamp, limit: number): Promise<number>;
  /**
   * The time up to which rows were deleted by age, independent of any clock. Undefined before the first
   * `moveRetainedUntil`.
   */
  retainedUntil(): Promise<Timestamp | undefined>;
  /** By compare-and-set: false when the stored time is not `from` (undefined: absent). */
  moveRetainedUntil(from: Timestamp | undefined, to: Timestamp): Promise<boolean>;
  /** The receipt of the newest row that chargers reported. Undefined when there is none. */
  newestRowAt(): Promise<Timestamp | undefined>;
}

/** Deleted rows, by the name of their collection. */
export type PruneCounts = Readonly<Record<string, number>>;

export interface PruneBefore {
  readonly log: Timestamp;
  readonly history: Timestamp;
  /** For ended sessions: the receipt of their start, and their end. Sessions in progress stay. */
  readonly sessions: Timestamp;
  /** For API keys: when they were revoked. */
  readonly keys: Timestamp;
  /** For what expires by itself, such as idempotency records and sessions of the console: its expiry. */
  readonly answers: Timestamp;
  readonly claims: Timestamp;
  /** For commands: when they were requested. For reports of devices: the receipt of their parts. */
  readonly commands: Timestamp;
  /** For rejected connection attempts. */
  readonly attempts: Timestamp;
  /** For delivery attempts of webhooks. */
  readonly deliveries: Timestamp;
  /** For events that were not delivered to a webhook: when they were given up. */
  readonly deadDeliveries: Timestamp;
  /** For dead gateway ids: when they died. */
  readonly gateways: Timestamp;
}
