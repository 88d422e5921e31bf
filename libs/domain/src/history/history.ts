// Rows that are only added, and deleted after their retention.
import type { ChargingState } from '../chargers/reported-status';
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

/**
 * One exchange with a charger: a CALL and its answer, secrets masked.
 *
 * @example
 * {
 *   rowId: '01K0Z3V5M8Q2T7W9XBCDEFGHJK',
 *   chargerId: 'ACME_1',
 *   incarnationId: '01JZWQ4R6S8T0V2X4Z6A8B0C2D',
 *   ocppVersion: 'ocpp1.6',
 *   action: 'Heartbeat',
 *   messageId: '17', // the charger's
 *   source: 'charger', // 'service' for a CALL of ours: `at` is then the receipt of its answer
 *   at: '2026-01-31T12:00:00.000Z',
 *   tookMs: 4, // absent for a CALL of ours
 *   request: '[2,"17","Heartbeat",{}]', // as it was sent, except for masked secrets
 *   response: '[3,"17",{"currentTime":"2026-01-31T12:00:00.003Z"}]', // '' where there is none
 *   // requestBytes, responseBytes: only where the text is shortened to 16 KiB
 *   // commandId, requestId: only for a CALL of ours
 * }
 */
export interface LogRow {
  readonly rowId: string;
  readonly chargerId: string;
  readonly incarnationId: string;
  readonly ocppVersion: string;
  readonly action: string;
  readonly messageId: string;
  /** The sender of the CALL. */
  readonly source: 'charger' | 'service';
  /** Receipt of the charger's frame: its CALL, or its answer to ours. */
  readonly at: Timestamp;
  /** Milliseconds from the receipt of the charger's CALL until its answer was ready. Absent for our CALLs. */
  readonly tookMs?: number;
  readonly request: string;
  /** The true length in bytes of a shortened `request`: at most 16 KiB of a frame are stored. */
  readonly requestBytes?: number;
  /** Empty where none was sent or received. */
  readonly response: string;
  /** The true length in bytes of a shortened `response`. */
  readonly responseBytes?: number;
  /** The command of an API that sent the CALL. */
  readonly commandId?: string;
  /** The request to an API that caused the CALL. */
  readonly requestId?: string;
}

/** An event that a charger reported: firmware, diagnostics, security events, DataTransfer, each event of a NotifyEvent. */
export interface ChargerEvent {
  /** Begins with the time of its receipt. */
  readonly rowId: string;
  readonly chargerId: string;
  readonly incarnationId: string;
  readonly clientId: string;
  readonly action: string;
  readonly receivedAt: Timestamp;
  /** The part of the message that is this event. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** The component of OCPP 2.x that it is about, in lower case. */
  readonly component?: string;
  /** 0 (danger) to 9 (debug), where the charger reported it. */
  readonly severity?: number;
}

/** Filters one charger's events: `from` inclusive, `to` exclusive, by the time of receipt. An absent field does not filter. */
export interface ChargerEventFilter {
  readonly from?: Timestamp | undefined;
  readonly to?: Timestamp | undefined;
  /** Case is ignored. */
  readonly component?: string | undefined;
  readonly severities?: readonly number[] | undefined;
}

/** Filters one charger's log. `from` and `to` (inclusive) refer to the time of recording. */
export interface LogFilter {
  readonly from?: Timestamp | undefined;
  readonly to?: Timestamp | undefined;
  readonly actions?: readonly string[] | undefined;
  readonly includeHeartbeats: boolean;
  /** A part of a frame, ASCII case ignored. */
  readonly search?: string | undefined;
  /** The command that caused the CALL. */
  readonly commandId?: string | undefined;
}

export type LogSortKey = 'recorded';

/** Filters a client's state changes: `from` inclusive, `to` exclusive. An absent field does not filter. */
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

/** The reads of a follower of a charger's log. */
export interface LogReader {
  /** Undefined without a row. */
  newestLogId(incarnationId: string): Promise<string | undefined>;
  /** The ids of rows behind `after`, up to `upTo` (inclusive, default: the newest), ascending, at most `limit`. */
  logIds(
    incarnationId: string,
    range: { readonly after: string; readonly upTo?: string; readonly limit: number },
  ): Promise<string[]>;
  /** These rows, ascending by id. */
  logRows(incarnationId: string, rowIds: readonly string[]): Promise<LogRow[]>;
}

export interface HistoryReader extends LogReader {
  /** The charger's events with these actions, its own and our requests: newest first. */
  events(
    charger: { readonly chargerId: string; readonly incarnationId: string },
    actions: readonly string[],
    limit: number,
  ): Promise<ChargerEvent[]>;
  eventPage(
    incarnationId: string,
    filter: ChargerEventFilter,
    page: PageRequest<'receivedAt'>,
  ): Promise<Page<ChargerEvent>>;
  log(incarnationId: string, limit: number): Promise<LogRow[]>;
  logPage(incarnationId: string, filter: LogFilter, page: PageRequest<LogSortKey>): Promise<Page<LogRow>>;
  statePage(clientId: string, filter: StateFilter, page: PageRequest<'at'>): Promise<Page<StateChange>>;
  /** Counts the entries into each state, by day (UTC) and state. */
  countStates(clientId: string, filter: StateFilter): Promise<StateCount[]>;
}
