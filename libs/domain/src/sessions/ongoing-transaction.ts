import type { Position } from '@busbar/contracts';
import type { Timestamp } from '../timestamp';

/** A session in progress in its charger's record. */
export interface OngoingTransaction {
  readonly socketId: number;
  readonly transactionId: number;
  readonly sessionId: string;
  readonly idTag: string;
  readonly startTime: Timestamp;
  readonly position: Position;
  /** The command that began it. */
  readonly commandId?: string;
  /** The tag was refused, and no sign has come that the charger charges despite that. */
  readonly refused?: boolean;
  /** The same as in its session. */
  readonly tagReleased?: boolean;
}
