/** Orders a gateway to close a connection that was replaced, or whose charger was deleted or has other credentials. */
export interface CloseConnection {
  readonly chargerId: string;
  readonly connectionId: string;
  readonly reason: 'replaced' | 'deleted' | 'credentials_changed';
}

/** The connection is closed: the sender stops repeating its order. */
export interface ConnectionClosed {
  readonly connectionId: string;
  /** False when it was not open here. */
  readonly wasOpen: boolean;
}
