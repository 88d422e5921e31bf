// The port to a connected charger, as the use cases need it.
import type { CallOutcome, CloseConnection } from '@busbar/contracts';

/** A CALL, encoded for the charger's OCPP version. */
export interface ChargerCall {
  /** The command's id. Absent: the link makes one. */
  readonly commandId?: string;
  /** The request that caused the command, for logs. Absent: none did. */
  readonly requestId?: string;
  readonly action: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** The charger's time to answer once the CALL is sent, in milliseconds. */
  readonly timeoutMs: number;
  /** The longest wait in the gateway's queue; after it the call is never sent. */
  readonly waitMs: number;
}

/** The gateway in a charger's record, and the charger to call there. */
export interface ChargerAddress {
  readonly gatewayId: string;
  readonly chargerId: string;
  readonly incarnationId: string;
}

/** The outcome of a call: the gateway's report, or a failure to reach the gateway. */
export type LinkOutcome =
  | CallOutcome
  /** Nobody listens at the gateway's address: the gateway has stopped, or is reconnecting to the broker. */
  | { readonly outcome: 'nobody' }
  /** The gateway is too old for this version of the command: nothing was sent. */
  | { readonly outcome: 'unsupported_version' }
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
  /** One attempt through that gateway. Resolves within both of the call's times and a little. */
  call(to: ChargerAddress, call: ChargerCall): Promise<LinkOutcome>;
  /**
   * Orders the gateway to close one connection. closed: it is closing; not_here: the gateway does not have it;
   * unreachable: nobody received the order. Never rejects.
   */
  close(connection: ConnectionToClose): Promise<'closed' | 'not_here' | 'unreachable'>;
}
