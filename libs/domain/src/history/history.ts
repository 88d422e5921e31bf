// Rows that only ever grow, kept for a number of days.
import type { ChargingState } from '../chargers/charger';
import type { Timestamp } from '../timestamp';
import type { Page, PageRequest } from '../page';

/** A socket (0: the charger itself) reported a status. */
export interface StateChange {
  readonly rowId: string;
  readonly chargerId: string;
  readonly incarnationId: string;
  readonly clientId: string;
  readonly siteId: number;
  readonly socketId: number;
  readonly state: ChargingState;
  readonly errorCode: string;
  readonly at: Timestamp;
  readonly receivedAt: Timestamp;
}

/** One exchange with a charger: the CALL and what was answered, secrets masked. */
export interface LogRow {
  readonly rowId: string;
  readonly chargerId: string;
  readonly incarnationId: string;
  readonly ocppVersion: string;
  readonly action: string;
  readonly messageId: string;
  /** Who called. */
  readonly source: 'charger' | 'service';
  /** Receipt of the charger's frame: its CALL, or its answer to ours. */
  readonly at: Timestamp;
  /** Milliseconds from the receipt of the charger's CALL until its answer was made. Absent for our CALLs. */
  readonly tookMs?: number;
  readonly request: string;
  /** The true length in bytes of a `request` that is shortened: of a frame above 16 KiB only so much is kept. */
  readonly requestBytes?: number;
  /** '' where none was sent or came. */
  readonly response: string;
  /** The same of a `response`. */
  readonly responseBytes?: number;
  /** Of a command that came through an API. */
  readonly commandId?: string;
  /** Of the request that it came by. */
  readonly requestId?: string;
}

/** Something a charger said of itself: firmware, diagnostics, security events, DataTransfer. */
export interface ChargerEvent {
  readonly rowId: string;
  readonly chargerId: string;
  readonly incarnationId: string;
  readonly clientId: string;
  readonly action: string;
  readonly receivedAt: Timestamp;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** Of one charger's log. The bounds are those of when an exchange was recorded, inclusive. */
export interface LogFilter {
  readonly from?: Timestamp | undefined;
  readonly to?: Timestamp | undefined;
  readonly actions?: readonly string[] | undefined;
  readonly includeHeartbeats: boolean;
  /** A part of a frame, without regard to ASCII case. */
  readonly search?: string | undefined;
}

export type LogSortKey = 'recorded';

/** Of a client's state changes: `from` inclusive, `to` exclusive. What is absent does not narrow. */
export interface StateFilter {
  readonly from: Timestamp;
  readonly to: Timestamp;
  readonly chargerIds?: readonly string[] | undefined;
  readonly siteIds?: readonly number[] | undefined;
  readonly socketIds?: readonly number[] | undefined;
}

export interface StateCount {
  /** `2026-01-31` */
  readonly day: string;
  readonly state: string;
  readonly count: number;
}

export interface HistoryReader {
  /** What the charger said of itself, and what it was asked, by these actions: newest first. */
  events(
    charger: { readonly chargerId: string; readonly incarnationId: string },
    actions: readonly string[],
    limit: number,
  ): Promise<ChargerEvent[]>;
  log(chargerId: string, incarnationId: string, limit: number): Promise<LogRow[]>;
  logPage(incarnationId: string, filter: LogFilter, page: PageRequest<LogSortKey>): Promise<Page<LogRow>>;
  statePage(clientId: string, filter: StateFilter, page: PageRequest<'at'>): Promise<Page<StateChange>>;
  /** How often a state was entered, by day (UTC) and state. */
  countStates(clientId: string, filter: StateFilter): Promise<StateCount[]>;
}
