import type { Timestamp } from '../timestamp';

/**
 * A report that could not be applied, or an unreadable body. Stored until an operator replays or drops it, or its
 * retention ends.
 */
export interface StoredDeadLetter {
  readonly deadLetterId: string;
  /** Empty for an unreadable body. */
  readonly chargerId: string;
  readonly action: string;
  readonly reason: string;
  readonly at: Timestamp;
  /** The whole envelope as JSON text, since it may contain anything; for an unreadable body its text. */
  readonly report: string;
}

export interface DeadLetterStore {
  /** An existing letter is success. */
  insert(letter: StoredDeadLetter): Promise<void>;
  /** The oldest first by default; equal timestamps by id. */
  list(limit: number, from?: DeadLettersFrom): Promise<StoredDeadLetter[]>;
  find(deadLetterId: string): Promise<StoredDeadLetter | undefined>;
  /** False when there is none. */
  drop(deadLetterId: string): Promise<boolean>;
  count(): Promise<number>;
}

export interface DeadLettersFrom {
  readonly newestFirst?: boolean;
  /** Only letters after this one. */
  readonly after?: Pick<StoredDeadLetter, 'at' | 'deadLetterId'>;
}
