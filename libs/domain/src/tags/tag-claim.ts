import type { Timestamp } from '../timestamp';

/**
 * The session that a tag was last given to. It decides between starts that many chargers tell of in one moment, of which
 * each was judged before the others were stored. Of no use later, when sessions can be read: then it is deleted by its age.
 */
export interface TagClaim {
  readonly clientId: string;
  readonly idTagKey: string;
  readonly sessionId: string;
  readonly at: Timestamp;
}

/** A claim, and which session's it takes the place of: undefined where the tag has none. */
export interface TagClaimChange {
  readonly claim: TagClaim;
  readonly insteadOf: string | undefined;
}

export interface TagClaimStore {
  find(tags: readonly Pick<TagClaim, 'clientId' | 'idTagKey'>[]): Promise<TagClaim[]>;
  /** Each by compare-and-set; one that finds another claim than it thought changes nothing. */
  take(changes: readonly TagClaimChange[]): Promise<void>;
}
