import type { Position } from '@busbar/contracts';
import type { Timestamp } from '../timestamp';

/** States of sockets and chargers in both APIs. */
export const CHARGING_STATES = [
  'Available',
  'Preparing',
  'Charging',
  'SuspendedCAR',
  'SuspendedCHARGER',
  'Finishing',
  'Reserved',
  'Unavailable',
  'Error',
  'Booting',
  'Offline',
  'Info',
] as const;
export type ChargingState = (typeof CHARGING_STATES)[number];

/** A problem of a part of a socket, as OCPP 2.x reports it beside the status. */
export interface ReportedProblem {
  /** '' where it is cleared. */
  readonly code: string;
  readonly at: Timestamp;
}

/** The last reported status of a socket or, as connector 0, of the charger. */
export interface ReportedStatus {
  /** A state, as both APIs show it. */
  readonly state: ChargingState;
  /** The charger's error code, '' for none. For a status that its OCPP version does not define, that status. */
  readonly errorCode: string;
  readonly info: string;
  readonly vendorErrorCode: string;
  /** The charger's own time, or the time of receipt where the former is missing or far off. Never decreases. */
  readonly at: Timestamp;
  /** The charger's own timestamp. Absent where it is missing or far off. */
  readonly ownAt?: Timestamp;
  readonly position: Position;
  /** OCPP 2.x: Occupied since then, so that the transaction there decides `state` (rule 136). */
  readonly occupiedSince?: Timestamp;
  /** Of the last transaction there; OCPP 2.x. */
  readonly transactionEndedAt?: Timestamp;
  /** By component and variable, as `connector:fault`; `errorCode` is the code of one of them. OCPP 2.x. */
  readonly problems?: Readonly<Record<string, ReportedProblem>>;
  /** No status has come, only a transaction; OCPP 2.x. */
  readonly isAssumed?: true;
}
