/** Rejected connection attempts of one charger with one reason: the first, or those of the minute after it. */
export interface ConnectionAttempt {
  /** A ULID made by the gateway: an attempt that is sent twice is stored once. */
  readonly id: string;
  /**
   * The id in the request's path, bounded and escaped; it need not be registered. Null where there is none, or where
   * several attempts are summed up.
   */
  readonly chargerId: string | null;
  readonly remoteAddress: string | null;
  readonly reason: string;
  /** The subprotocols that the charger offered. */
  readonly protocols: readonly string[];
  /** The request id in the response to the last attempt. */
  readonly requestId: string;
  /** When the last attempt was made (RFC 3339, UTC). */
  readonly at: string;
  /** The number of attempts that this record stands for. */
  readonly count: number;
}

export interface ConnectionAttempts {
  readonly attempts: readonly ConnectionAttempt[];
}

export interface ConnectionAttemptsStored {
  readonly stored: number;
}
