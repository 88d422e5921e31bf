// The way to a charger that is connected to some gateway: what the use cases need of it, and no more.

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

export type CallOutcome =
  | { readonly outcome: 'answered'; readonly payload: Readonly<Record<string, unknown>> }
  /** The charger's own CALLERROR. */
  | { readonly outcome: 'error'; readonly code: string; readonly description: string }
  /** It answered what its OCPP version does not allow. */
  | { readonly outcome: 'invalid_answer'; readonly description: string }
  /** Sent, and no answer in time. */
  | { readonly outcome: 'timeout' }
  /** Its connection was lost while the call waited. */
  | { readonly outcome: 'disconnected' }
  /** The gateway's line for this charger is full, or the wait in it took too long: never sent. */
  | { readonly outcome: 'busy' }
  /** The gateway is there, the charger is not connected to it. */
  | { readonly outcome: 'not_here' }
  /** The gateway is older than the command, which was not sent. */
  | { readonly outcome: 'unsupported_version' }
  /** Nobody listens at the gateway's address: it is gone, or reconnecting to the broker. */
  | { readonly outcome: 'nobody' }
  /** The broker is away: nothing was sent. */
  | { readonly outcome: 'unavailable' }
  /** The broker was lost while waiting: whether the charger got it is not known. */
  | { readonly outcome: 'lost' };

export type CloseReason = 'deleted' | 'credentials_changed';

export interface ConnectionToClose {
  readonly gatewayId: string;
  readonly chargerId: string;
  readonly connectionId: string;
  readonly reason: CloseReason;
}

export interface ChargerLink {
  /** One attempt, by way of that gateway. Resolves with how it ended, within both of the call's times and a little. */
  call(to: ChargerAddress, call: ChargerCall): Promise<CallOutcome>;
  /**
   * Tells the gateway to close one connection. closed: it is closing; not_here: that gateway does not have it (any more);
   * unreachable: nobody was asked. Never rejects.
   */
  close(connection: ConnectionToClose): Promise<'closed' | 'not_here' | 'unreachable'>;
}
