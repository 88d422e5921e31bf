// What a charger's record keeps of the transactions that it begins and ends, beside those in progress.
import type { Timestamp } from '../timestamp';

/**
 * A remote start that the charger accepted, or perhaps did: how that ended is not known. The session that it then starts is
 * this command's, and is authorized by it.
 */
export interface AwaitedStart {
  readonly commandId: string;
  readonly idTagKey: string;
  /** Null where the charger may choose. */
  readonly socketId: number | null;
  readonly at: Timestamp;
}

/** A remote stop that the charger accepted: the stop that it then tells of is this command's. */
export interface AwaitedStop {
  readonly commandId: string;
  readonly transactionId: number;
  readonly at: Timestamp;
}

/** Transactions that a charger began on a day. */
export interface StartCount {
  /** UTC, of receipt: 2026-01-31. */
  readonly day: string;
  readonly count: number;
  /** Those beyond the limit, each time that they were sent. */
  readonly refused: number;
  /** The highest that was counted. */
  readonly lastTransactionId: number;
}
