import { flag, literal, record, text, type ValueOf } from './schema';

export const closeConnection = record({
  chargerId: text,
  connectionId: text,
  reason: literal('replaced', 'deleted', 'credentials_changed'),
});

/** Orders a gateway to close a connection that was replaced, or whose charger was deleted or has other credentials. */
export type CloseConnection = ValueOf<typeof closeConnection>;

export const connectionClosed = record({
  connectionId: text,
  /** False when it was not open here. */
  wasOpen: flag,
});

/** The connection is closed: the sender stops repeating its order. */
export type ConnectionClosed = ValueOf<typeof connectionClosed>;
