import type { Timestamp } from '../timestamp';

/**
 * A message of a charger that could not be applied, or a body that could not even be read: kept until an operator replays or
 * drops it, or its retention is over.
 */
export interface StoredDeadLetter {
  readonly deadLetterId: string;
  /** Empty for what could not be read. */
  readonly chargerId: string;
  readonly action: string;
  readonly reason: string;
  readonly at: Timestamp;
  /** The whole envelope as JSON text, since it may hold anything; of what could not be read, its text. */
  readonly report: string;
}

export interface DeadLetterStore {
  /** One that is there already is success. */
  keep(letter: StoredDeadLetter): Promise<void>;
  /** The oldest first, unless told otherwise; those of one timestamp in the order of their ids. */
  list(limit: number, from?: DeadLettersFrom): Promise<StoredDeadLetter[]>;
  find(deadLetterId: string): Promise<StoredDeadLetter | undefined>;
  /** False when there is none. */
  drop(deadLetterId: string): Promise<boolean>;
  count(): Promise<number>;
}

export interface DeadLettersFrom {
  readonly newestFirst?: boolean;
  /** Only what comes behind this one. */
  readonly after?: Pick<StoredDeadLetter, 'at' | 'deadLetterId'>;
}
