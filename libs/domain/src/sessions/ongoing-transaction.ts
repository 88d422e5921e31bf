import type { Position } from '@busbar/contracts';
import type { Timestamp } from '../timestamp';

/** A session under way, as its charger's record shows it. */
export interface OngoingTransaction {
  readonly socketId: number;
  readonly transactionId: number;
  readonly sessionId: string;
  readonly idTag: string;
  readonly startTime: Timestamp;
  readonly position: Position;
  /** The command that began it. */
  readonly commandId?: string;
  /** Its tag was refused, and nothing has shown yet that the charger charges all the same. */
  readonly refused?: boolean;
  /** As of its session. */
  readonly tagReleased?: boolean;
}
