import type { Timestamp } from '../timestamp';

/**
 * The session that has a tag, which decides between simultaneous starts that were judged before the others were stored.
 * It is useless once the sessions can be read, and is deleted by age.
 */
export interface TagClaim {
  readonly clientId: string;
  readonly idTagKey: string;
  readonly sessionId: string;
  readonly at: Timestamp;
}

/** A claim, and the session whose claim it replaces: undefined where there is none. */
export interface TagClaimChange {
  readonly claim: TagClaim;
  readonly insteadOf: string | undefined;
}

export interface TagClaimStore {
  find(tags: readonly Pick<TagClaim, 'clientId' | 'idTagKey'>[]): Promise<TagClaim[]>;
  /** Each by compare-and-set; a claim that finds another one than expected changes nothing. */
  take(changes: readonly TagClaimChange[]): Promise<void>;
}
