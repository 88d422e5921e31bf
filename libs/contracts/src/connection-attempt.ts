import { integer, list, nullableText, positive, record, text, timestamp, type ValueOf } from './schema';

const connectionAttempt = record({
  /** A ULID made by the gateway: an attempt that is sent twice is stored once. */
  id: text,
  /**
   * The id in the request's path, bounded and escaped; it need not be registered. Null where there is none, or where
   * several attempts are summed up.
   */
  chargerId: nullableText,
  remoteAddress: nullableText,
  reason: text,
  /** The subprotocols that the charger offered. */
  protocols: list(text),
  /** The request id in the response to the last attempt. */
  requestId: text,
  /** When the last attempt was made. */
  at: timestamp,
  /** The number of attempts that this record stands for. */
  count: positive,
});

/** Rejected connection attempts of one charger with one reason: the first, or those of the minute after it. */
export type ConnectionAttempt = ValueOf<typeof connectionAttempt>;

export const connectionAttempts = record({ attempts: { ...list(connectionAttempt), minItems: 1 } });

export const connectionAttemptsStored = record({ stored: integer });

export type ConnectionAttemptsStored = ValueOf<typeof connectionAttemptsStored>;
