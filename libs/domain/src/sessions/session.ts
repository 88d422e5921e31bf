import type { Timestamp } from '../timestamp';
import type { TagVerdict } from '../tags/tag';

export const SESSION_STATES = ['ongoing', 'refused', 'superseded', 'ended'] as const;
export type SessionState = (typeof SESSION_STATES)[number];

/** own: the client's tags. open: the tag is unknown, and the client lets such tags charge. remote_start: its owner ordered it. */
export const AUTHORIZATION_SOURCES = ['own', 'open', 'remote_start'] as const;
export type AuthorizationSource = (typeof AUTHORIZATION_SOURCES)[number];

/** A charging session: an OCPP transaction from its start to its stop. */
export interface Session {
  /** Hash of what makes a start the same start (rule 55), so that one sent twice is one session. */
  readonly sessionId: string;
  /** Positive, unique, fits 32 bits. */
  readonly transactionId: number;
  readonly chargerId: string;
  readonly incarnationId: string;
  readonly clientId: string;
  readonly siteId: number;
  readonly socketId: number;
  /** As the charger sent it. */
  readonly idTag: string;
  /** For comparing without case. */
  readonly idTagKey: string;
  readonly startTime: Timestamp;
  /** When its start was received: its age, whatever the charger's clock says. */
  readonly recordedAt: Timestamp;
  /** Wh */
  readonly meterStart: number;
  /** The charger told of the start long after it happened. */
  readonly startedOffline: boolean;
  /** How its tag was judged when it began, and what its start is answered for ever. Absent of sessions from before this was kept. */
  readonly verdict?: TagVerdict;
  /** Who judged so. Absent of sessions from before this was kept. */
  readonly authorizedBy?: AuthorizationSource;
  /**
   * superseded: another one began at the same socket, so its stop got lost. A late stop still ends it.
   * refused: its tag was refused, and the charger has not charged with it; it may have stopped it, and then has an end. A
   * charger that charges despite the refusal makes it ongoing.
   */
  readonly state: SessionState;
  /** Its socket was free again, or the next driver's: the tag is not in use any more, though no stop has come. */
  readonly tagReleased?: true;
  /** Who ended it; absent while nobody has. */
  readonly endedBy?: 'charger' | 'operator';
  readonly endTime: Timestamp | null;
  readonly meterStop: number | null;
  readonly consumptionWh: number | null;
  readonly stopReason: string | null;
  /** remote: a command of ours began it. Absent of sessions from before this was kept; so below. */
  readonly startedBy?: 'remote' | 'local';
  /** The command that began it; absent where none did. */
  readonly commandId?: string;
  /** The command that ended it; absent where none did. */
  readonly stopCommandId?: string;
}

/** What a search for transactions tells of each. */
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

/** What ends a session. Of one that its operator has ended it tells only the meter, and by it whether the charger charged. */
export interface SessionStop {
  readonly sessionId: string;
  /** refused: the charger did not charge with it. */
  readonly state: 'ended' | 'refused';
  readonly endTime: Timestamp;
  /** Wh */
  readonly meterStop: number;
  readonly consumptionWh: number;
  readonly stopReason: string;
  readonly stopCommandId?: string;
}

/** A command that turned out to have begun or ended a session after its row was written. Never takes another's place. */
export type CommandCorrelation = { readonly sessionId: string } & (
  { readonly commandId: string } | { readonly stopCommandId: string }
);

/** A stop that no session answers to: kept, and stops nothing. */
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
  /** The stop's frame, where a number in it is beyond 2^53. */
  readonly frame?: string;
}

/** One MeterValues message, or the transactionData of a stop, kept exactly as sent. */
export interface MeterValueRow {
  readonly rowId: string;
  readonly chargerId: string;
  readonly incarnationId: string;
  readonly clientId: string;
  readonly socketId: number | null;
  /** Null where the charger named none that we gave it. */
  readonly sessionId: string | null;
  readonly receivedAt: Timestamp;
  readonly payload: Readonly<Record<string, unknown>>;
  /** The message itself, where a number in it is beyond 2^53 and `payload` has it rounded. */
  readonly frame?: string;
}

/** Refused when it began, whether the charger charges all the same or not. */
export function wasRefused({ verdict = 'accepted' }: Pick<Session, 'verdict'>): boolean {
  return verdict !== 'accepted';
}

/** Ended by its operator, and its charger has not reported its stop since. */
export function awaitsMeter({ endedBy, meterStop }: Pick<Session, 'endedBy' | 'meterStop'>): boolean {
  return endedBy === 'operator' && meterStop === null;
}

/** A stop that comes now would end it. */
export function isOpen({ endTime }: Pick<Session, 'endTime'>): boolean {
  return endTime === null;
}

/** The word of its operator. What its meter said is not known. */
export interface SessionEnd {
  readonly state: 'ended' | 'refused';
  readonly endTime: Timestamp;
  readonly stopReason: string | null;
}

/** What becomes of sessions when somebody else than their charger ends them. */
export interface SessionWriter {
  /** Those under way of a charger that is deleted: nobody will tell of their stop. They become `superseded`. */
  abandon(chargerId: string, incarnationId: string): Promise<void>;
  /** Ends it as its operator, by compare-and-set: false where it has ended or has another state meanwhile. */
  end(session: Pick<Session, 'sessionId' | 'state'>, end: SessionEnd): Promise<boolean>;
}
