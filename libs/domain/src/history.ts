// Rows that only ever grow, kept for a number of days.
import type { ChargingState } from './charger';
import type { Instant } from './instant';

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
  readonly at: Instant;
  readonly receivedAt: Instant;
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
  readonly at: Instant;
  readonly request: string;
  /** '' where none was sent or came. */
  readonly response: string;
}

/** Something a charger said of itself: firmware, diagnostics, security events, DataTransfer. */
export interface ChargerEvent {
  readonly rowId: string;
  readonly chargerId: string;
  readonly incarnationId: string;
  readonly clientId: string;
  readonly action: string;
  readonly receivedAt: Instant;
  readonly payload: Readonly<Record<string, unknown>>;
}

export interface HistoryReader {
  /** What the charger said of itself, and what it was asked, by these actions: newest first. */
  events(
    charger: { readonly chargerId: string; readonly incarnationId: string },
    actions: readonly string[],
    limit: number,
  ): Promise<ChargerEvent[]>;
  log(chargerId: string, incarnationId: string, limit: number): Promise<LogRow[]>;
  stateChanges(chargerId: string, incarnationId: string, limit: number): Promise<StateChange[]>;
}
