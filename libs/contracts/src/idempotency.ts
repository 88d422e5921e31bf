// First requests with an `Idempotency-Key` and their responses: what the APIs and the store agree on.

/** A request's claim to be the first with its key. Timestamps are RFC 3339 in UTC. */
export interface IdempotencyClaim {
  /** A hash of the client and the key: neither can be read from it. */
  readonly id: string;
  /** A hash of the whole request: another request may not have the key. */
  readonly fingerprint: string;
  /** Distinguishes this attempt from one that takes over after it died. */
  readonly attempt: string;
  readonly at: string;
  /** The record is deleted after it. */
  readonly expiresAt: string;
}

/** A claim, and the response once there is one. */
export interface IdempotencyRecord extends IdempotencyClaim {
  /** Sealed, so that only the caller can read it. Null while the request runs. */
  readonly response: string | null;
}

export type ClaimResult =
  | { readonly outcome: 'claimed' }
  | { readonly outcome: 'running'; readonly fingerprint: string }
  | { readonly outcome: 'completed'; readonly fingerprint: string; readonly response: string };

/** Idempotency records of all processes of the APIs. */
export interface IdempotencyStore {
  /**
   * One of several concurrent claims gets the key. A record that expired, or that has been running since before `deadBefore`,
   * is taken over.
   */
  claim(claim: IdempotencyClaim, deadBefore: string): Promise<ClaimResult>;
  /** Stores the response. Changes nothing when the attempt was taken over. */
  complete(id: string, attempt: string, response: string): Promise<void>;
  /** Frees the key for a new attempt. */
  release(id: string, attempt: string): Promise<void>;
}
