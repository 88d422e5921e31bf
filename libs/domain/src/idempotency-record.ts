// What the APIs' processes share about requests: first answers by `Idempotency-Key`.
import type { Timestamp } from './timestamp';

/** The first request with an `Idempotency-Key`, and its answer once there is one. Kept until `expiresAt`. */
export interface IdempotencyRecord {
  /** A hash of whose key it is and of the key. */
  readonly answerId: string;
  /** Of the whole request. */
  readonly fingerprint: string;
  /** Which attempt may give the answer: one that was taken for dead may not. */
  readonly attempt: string;
  readonly at: Timestamp;
  readonly expiresAt: Timestamp;
  /** Sealed: only the caller can read it. Null while the request runs. */
  readonly answer: string | null;
}

export type AnswerClaimResult =
  | { readonly outcome: 'claimed' }
  | { readonly outcome: 'running'; readonly fingerprint: string }
  | { readonly outcome: 'answered'; readonly fingerprint: string; readonly answer: string };

export interface IdempotencyRecords {
  /** Of several that claim at once, one gets it. What expired, or runs since before `deadBefore`, is taken over. */
  claim(
    claim: Omit<IdempotencyRecord, 'answerId' | 'answer'> & { readonly id: string },
    deadBefore: Timestamp,
  ): Promise<AnswerClaimResult>;
  /** Changes nothing when the attempt was taken over. */
  keep(id: string, attempt: string, answer: string): Promise<void>;
  release(id: string, attempt: string): Promise<void>;
}
