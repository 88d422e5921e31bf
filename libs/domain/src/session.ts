import type { Instant } from './instant';
import type { TagVerdict } from './tag';

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
  readonly startTime: Instant;
  /** Wh */
  readonly meterStart: number;
  /** The charger told of the start long after it happened. */
  readonly startedOffline: boolean;
  /** How its tag was judged when it began, and what its start is answered for ever. Absent of sessions from before this was kept. */
  readonly verdict?: TagVerdict;
  /** It was refused, and the charger charges with it all the same. */
  readonly goesOn?: true;
  /** superseded: another one began at the same socket, so its stop got lost. A late stop still ends it. */
  readonly state: 'ongoing' | 'superseded' | 'ended';
  readonly endTime: Instant | null;
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

/** What ends a session. */
export interface SessionStop {
  readonly sessionId: string;
  readonly endTime: Instant;
  /** Wh */
  readonly meterStop: number;
  readonly consumptionWh: number;
  readonly stopReason: string;
  readonly stopCommandId?: string;
}

/** A command that turned out to have begun or ended a session after its row was written. Never takes another's place. */
export type SessionTie = { readonly sessionId: string } & (
  { readonly commandId: string } | { readonly stopCommandId: string }
);

/** A stop that no session answers to: kept, and stops nothing. */
export interface OrphanStop {
  readonly orphanId: string;
  readonly chargerId: string;
  readonly incarnationId: string;
  readonly transactionId: number;
  readonly endTime: Instant;
  readonly meterStop: number;
  readonly stopReason: string;
  readonly clientId: string;
  readonly receivedAt: Instant;
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
  readonly receivedAt: Instant;
  readonly payload: Readonly<Record<string, unknown>>;
  /** The message itself, where a number in it is beyond 2^53 and `payload` has it rounded. */
  readonly frame?: string;
}

/** A start that was refused is a session all the same (rule 53); most chargers end it at once, some never say so. */
export function isRefused({ verdict = 'accepted', goesOn }: Pick<Session, 'verdict' | 'goesOn'>): boolean {
  return verdict !== 'accepted' && goesOn !== true;
}

/** What becomes of sessions when somebody else than their charger ends them. */
export interface SessionWriter {
  /** Those under way of a charger that is deleted: nobody will tell of their stop. They become `superseded`. */
  abandon(chargerId: string, incarnationId: string): Promise<void>;
}
