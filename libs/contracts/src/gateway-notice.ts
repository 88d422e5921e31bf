/** Tells a gateway to close a connection that a newer one replaced, or whose charger is no longer what it was. */
export interface CloseConnection {
  readonly chargerId: string;
  readonly connectionId: string;
  readonly reason: 'replaced' | 'deleted' | 'credentials_changed';
}

/** The connection is not open there (any more). Whoever asked may stop asking. */
export interface ConnectionClosed {
  readonly connectionId: string;
  /** False when it was not open there in the first place. */
  readonly wasOpen: boolean;
}
