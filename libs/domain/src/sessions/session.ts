import type { Timestamp } from '../timestamp';
import type { TagVerdict } from '../tags/tag';

export const SESSION_STATES = ['ongoing', 'refused', 'superseded', 'ended'] as const;
export type SessionState = (typeof SESSION_STATES)[number];

/**
 * own: the client's tags. open: the tag is unknown, and the client lets such tags charge. remote_start: its owner ordered it.
 * endpoint: the client's endpoint for real-time authorization. fallback: that endpoint's `onFailure`.
 */
export const AUTHORIZATION_SOURCES = ['own', 'open', 'remote_start', 'endpoint', 'fallback'] as const;
export type AuthorizationSource = (typeof AUTHORIZATION_SOURCES)[number];

/**
 * A charging session: an OCPP transaction from its start to its stop. As stored in `sessions` (shortened):
 *
 *     { "sessionId": "9f2c…", "transactionId": 4711, "chargerId": "ACME-17", "incarnationId": "01J9Z3N5…", "clientId": "c_k3Jd…",
 *       "siteId": 12, "socketId": 1, "idTag": "04A2B3", "idTagKey": "04a2b3", "state": "ended",
 *       "startTime": "2026-01-31T11:42:10.000Z", "endTime": "2026-01-31T12:30:00.000Z",
 *       "meterStart": 10500, "meterStop": 18200, "stopReason": "Local", "verdict": "accepted" }
 */
export interface Session {
  /** A hash of what identifies a start (rule 55) or a transaction (rule 139), so that a repeated one is the same session. */
  readonly sessionId: string;
  /** Positive, unique, fits 32 bits. */
  readonly transactionId: number;
  readonly chargerId: string;
  readonly incarnationId: string;
  readonly clientId: string;
  readonly siteId: number;
  /** 0: the charger has not reported it yet (OCPP 2.x). */
  readonly socketId: number;
  /** As the charger sent it. '': the charger has not reported one yet (OCPP 2.x). */
  readonly idTag: string;
  /** Lower case, for comparison. */
  readonly idTagKey: string;
  readonly startTime: Timestamp;
  /** The receipt of its start: the session's age, independent of the charger's clock. */
  readonly recordedAt: Timestamp;
  /** The last change of what its record shows. Written by the store; never decreases. */
  readonly updatedAt?: Timestamp;
  /** Wh. Null: the charger reported no register, or its start is not known yet (OCPP 2.x). */
  readonly meterStart: number | null;
  /** The charger reported the start long after it happened. */
  readonly startedOffline: boolean;
  /** The verdict on its tag at the start, and the answer to every repetition of it. */
  readonly verdict?: TagVerdict;
  /** The authority of that verdict. */
  readonly authorizedBy?: AuthorizationSource;
  /**
   * - `superseded`: another session began at the same socket, so this one's stop was lost. A late stop still ends it.
   * - `refused`: the tag was refused, and the charger has not charged. It has an end where the charger stopped it. A
   *   charger that charges despite the refusal makes it ongoing.
   */
  readonly state: SessionState;
  /** The socket has become free, or another driver's: the tag is no longer in use, though no stop has come. */
  readonly tagReleased?: true;
  /** The party that ended it. Absent for a session in progress. */
  readonly endedBy?: 'charger' | 'operator';
  readonly endTime: Timestamp | null;
  readonly meterStop: number | null;
  readonly consumptionWh: number | null;
  readonly stopReason: string | null;
  /** remote: one of our commands began it. */
  readonly startedBy?: 'remote' | 'local';
  /** The command that began it. */
  readonly commandId?: string;
  /** The command that ended it. */
  readonly stopCommandId?: string;
  /** The id of the report with its stop. That report is delivered again where its charger's record was not stored with it. */
  readonly stopReportId?: string;
  /** True: its operator ended it, and the event of that may be missing from the feed. */
  readonly endUnannounced?: boolean;
  /** Absent for OCPP 1.6. */
  readonly device?: DeviceTransaction;
}

/** What OCPP 2.x alone reports of a transaction. */
export interface DeviceTransaction {
  /** The charger's own id of the transaction. */
  readonly id: string;
  /** A hash of the charger's incarnation and that id. A charger that reuses its ids has several sessions of one key. */
  readonly key: string;
  readonly evseId: number | null;
  /** Null: the charger has not named it, and `socketId` is assumed (rule 137). */
  readonly connectorId: number | null;
  readonly idTokenType: string | null;
  readonly chargingState: string | null;
  readonly timeSpentChargingS: number | null;
  /** False: Started has not come, and `startTime` is the earliest time of the others (rule 143). */
  readonly startKnown: boolean;
  /** Sequence numbers that have not come, at most 100 (rule 142). */
  readonly missingEvents: readonly number[];
  /** The last NotifyEVChargingNeeds and NotifyEVChargingSchedule, as sent: what the vehicle needs, and what it plans. */
  readonly chargingNeeds?: Readonly<Record<string, unknown>>;
  readonly chargingSchedule?: Readonly<Record<string, unknown>>;
  /** The verdicts on other tokens than the session's, which their events get again (rule 141): by type and key of the token, at most 8. */
  readonly otherVerdicts?: readonly (readonly [token: string, verdict: TagVerdict])[];
  /** What charger-state folds further events into. */
  readonly facts: unknown;
  /** Counts the changes of this row: it is replaced by compare-and-set. */
  readonly revision: number;
}

/** A session with further events of its transaction. It replaces its row where that has still these parts. */
export interface TransactionChange {
  readonly session: Session & { readonly device: DeviceTransaction };
  readonly from: Pick<DeviceTransaction, 'revision'> & Pick<Session, 'endedBy'>;
  /** The transaction changed the state of the session too. Others change it without a revision. */
  readonly changesState: boolean;
}

/** The fields of a session in a transaction search. */
export type SessionSummary = Pick<
  Session,
  | 'transactionId'
  | 'chargerId'
  | 'siteId'
  | 'socketId'
  | 'idTag'
  | 'startTime'
  | 'endTime'
  | 'meterStart'
  | 'meterStop'
  | 'consumptionWh'
  | 'stopReason'
>;

/**
 * The end of a session. For a session that its operator ended it adds only the meter reading, which shows whether the
 * charger charged.
 */
export interface SessionStop {
  readonly sessionId: string;
  /** refused: the charger did not charge. */
  readonly state: 'ended' | 'refused';
  readonly endTime: Timestamp;
  /** Wh */
  readonly meterStop: number;
  readonly consumptionWh: number;
  readonly stopReason: string;
  readonly stopCommandId?: string;
  readonly stopReportId: string;
}

/** Correlates a command with a session whose row was written before. Never replaces another command. */
export type CommandCorrelation = { readonly sessionId: string } & (
  { readonly commandId: string } | { readonly stopCommandId: string }
);

/** A stop without a session: stored, without effect. */
export interface OrphanStop {
  readonly orphanId: string;
  readonly chargerId: string;
  readonly incarnationId: string;
  readonly transactionId: number;
  readonly endTime: Timestamp;
  readonly meterStop: number;
  readonly stopReason: string;
  readonly clientId: string;
  readonly receivedAt: Timestamp;
  /** The stop's frame, where it contains a number beyond 2^53. */
  readonly frame?: string;
}

/** One MeterValues message, or the transactionData of a stop, exactly as sent. */
export interface MeterValueRow {
  readonly rowId: string;
  readonly chargerId: string;
  readonly incarnationId: string;
  readonly clientId: string;
  readonly socketId: number | null;
  /** Null where the charger named no known transaction. */
  readonly sessionId: string | null;
  readonly receivedAt: Timestamp;
  readonly payload: Readonly<Record<string, unknown>>;
  /** The message's text, where it contains a number beyond 2^53, which `payload` rounds. */
  readonly frame?: string;
}

/** One TransactionEvent of OCPP 2.x. An event that was sent again has the same row. */
export interface TransactionEventRow {
  /** Sorts the events of one `seqNo`: by time, then Started, Updated, Ended, then content. */
  readonly rowId: string;
  readonly chargerId: string;
  readonly incarnationId: string;
  readonly clientId: string;
  readonly sessionId: string;
  readonly receivedAt: Timestamp;
  readonly seqNo: number;
  /** `Started`, `Updated` or `Ended`; another word of the charger as sent. */
  readonly eventType: string;
  readonly triggerReason: string;
  readonly chargingState: string | null;
  readonly offline: boolean;
  readonly timestamp: Timestamp;
}

/** Returns whether the start was refused, even where the charger charges despite that. */
export function wasRefused({ verdict = 'accepted' }: Pick<Session, 'verdict'>): boolean {
  return verdict !== 'accepted';
}

/** Returns whether its operator ended it and its charger has not reported a stop since. */
export function awaitsMeter({ endedBy, meterStop }: Pick<Session, 'endedBy' | 'meterStop'>): boolean {
  return endedBy === 'operator' && meterStop === null;
}

/** Returns whether a stop that comes now ends it. */
export function isOpen({ endTime }: Pick<Session, 'endTime'>): boolean {
  return endTime === null;
}

/** The operator's end, without a meter reading. */
export interface SessionEnd {
  readonly state: 'ended' | 'refused';
  readonly endTime: Timestamp;
  readonly stopReason: string | null;
  /** The record of its charger does not show it, so that nothing else announces the end where this process dies. */
  readonly endUnannounced?: true;
}

/** The end of sessions by others than their charger. */
export interface SessionWriter {
  /** Abandons the ongoing sessions of a deleted charger, whose stops will never come: they become `superseded`. */
  abandon(chargerId: string, incarnationId: string): Promise<void>;
  /**
   * Ends a session on behalf of its operator, by compare-and-set. False where it has ended or changed its state
   * meanwhile.
   */
  end(session: Pick<Session, 'sessionId' | 'state'>, end: SessionEnd): Promise<boolean>;
  /** The feed has the event of an operator's end. */
  endAnnounced(sessionId: string): Promise<void>;
}
