// The port to a connected charger, as the use cases need it.
import type { CallOutcome, CloseConnection } from '@busbar/contracts';

/** A CALL in the words of the charger's OCPP version. */
export interface ChargerCall {
  /** What the command is known by in what it leads to. Absent: the link makes one. */
  readonly commandId?: string;
  /** Of the request that the command came by, for logs. Absent: nobody asked for it. */
  readonly requestId?: string;
  readonly action: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** How long the charger may take once the CALL is sent, in milliseconds. */
  readonly timeoutMs: number;
  /** How long it may wait in the gateway's line before that; one that waited longer is never sent. */
  readonly waitMs: number;
}

/** The gateway that a charger's record names, and whom it is to ask for. */
export interface ChargerAddress {
  readonly gatewayId: string;
  readonly chargerId: string;
  readonly incarnationId: string;
}

/** How a call ended: as its gateway says, or without a word of a gateway. */
export type LinkOutcome =
  | CallOutcome
  /** Nobody listens at the gateway's address: the gateway has stopped, or is reconnecting to the broker. */
  | { readonly outcome: 'nobody' }
  /** The broker is unreachable: nothing was sent. */
  | { readonly outcome: 'unavailable' }
  /** The connection to the broker broke during the call: whether the charger received it is unknown. */
  | { readonly outcome: 'lost' };

/** A newer connection replaces another by itself; the domain closes connections for the other reasons. */
export type CloseReason = Exclude<CloseConnection['reason'], 'replaced'>;

export interface ConnectionToClose {
  readonly gatewayId: string;
  readonly chargerId: string;
  readonly connectionId: string;
  readonly reason: CloseReason;
}

export interface ChargerLink {
  /** One attempt, by way of that gateway. Resolves with how it ended, within both of the call's times and a little. */
  call(to: ChargerAddress, call: ChargerCall): Promise<LinkOutcome>;
  /**
   * Tells the gateway to close one connection. closed: it is closing; not_here: that gateway does not have it (any more);
   * unreachable: nobody was asked. Never rejects.
   */
  close(connection: ConnectionToClose): Promise<'closed' | 'not_here' | 'unreachable'>;
}
