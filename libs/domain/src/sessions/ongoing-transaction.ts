import type { Position } from '@busbar/contracts';
import type { Timestamp } from '../timestamp';

/**
 * The key of a session in its charger's record: its socket, where that is known. Others have keys of their own, since several may
 * be in progress.
 */
export function ongoingKey({ socketId, sessionId }: Pick<OngoingTransaction, 'socketId' | 'sessionId'>): string {
  return socketId === 0 ? `0/${sessionId}` : String(socketId);
}

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
  /** Absent for OCPP 1.6. */
  readonly device?: OngoingOnDevice;
}

/** What decides the state of an Occupied connector (rule 136). */
export interface OngoingOnDevice {
  /** The charger's own id of the transaction. */
  readonly id: string;
  readonly chargingState: string | null;
  /** Charging, or suspended, at any time of it. */
  readonly wasEnergized: boolean;
}
