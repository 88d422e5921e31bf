// The parts of a charger's record about starts and stops of transactions, beside those in progress.
import type { Timestamp } from '../timestamp';

/**
 * A remote start that the charger accepted, or whose outcome is unknown. It authorizes the session that the charger
 * then starts, which is correlated with it.
 */
export interface AwaitedStart {
  /** OCPP 2.x: the charger names it in the transaction. */
  readonly remoteStartId?: number;
  /** OCPP 2.x: the transaction that the charger named in its response, such as one that the cable began. */
  readonly deviceTransactionId?: string;
  readonly commandId: string;
  readonly idTagKey: string;
  /** Null: the charger may choose. */
  readonly socketId: number | null;
  readonly at: Timestamp;
}

/** A remote stop that the charger accepted: the next stop is correlated with it. */
export interface AwaitedStop {
  readonly commandId: string;
  readonly transactionId: number;
  readonly at: Timestamp;
}

/** The transactions that a charger began on a day. */
export interface StartCount {
  /** The day of receipt (UTC): 2026-01-31. */
  readonly day: string;
  readonly count: number;
  /** Starts beyond the limit, counted each time that they were sent. */
  readonly refused: number;
  /** The highest transaction id that was counted. */
  readonly lastTransactionId: number;
}
