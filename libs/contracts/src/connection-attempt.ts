/** Attempts of one charger to connect that were rejected for one reason: the first, or those of a minute after it. */
export interface ConnectionAttempt {
  /** ULID of the gateway: an attempt that is sent twice is stored once. */
  readonly id: string;
  /**
   * As the request's path named it, bounded and escaped; null where it named none, or where several that were not judged are
   * summed up. Nobody needs to have registered it.
   */
  readonly chargerId: string | null;
  readonly remoteAddress: string | null;
  readonly reason: string;
  /** The subprotocols that the charger offered. */
  readonly protocols: readonly string[];
  /** In the response to the last of them. */
  readonly requestId: string;
  /** ISO UTC timestamp of the last of them. */
  readonly at: string;
  /** How many. */
  readonly count: number;
}

export interface ConnectionAttempts {
  readonly attempts: readonly ConnectionAttempt[];
}

export interface ConnectionAttemptsStored {
  readonly stored: number;
}
