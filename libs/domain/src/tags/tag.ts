import type { Timestamp } from '../timestamp';
import type { Page, PageRequest } from '../page';

/** A driver's token (OCPP idTag). */
export interface Tag {
  readonly clientId: string;
  readonly idTag: string;
  /** Lower case: comparisons ignore case. */
  readonly idTagKey: string;
  readonly tokenName: string | null;
  /** The type of token (OCPP 2.x, IdTokenEnumType) that the text is. Null: any. */
  readonly type: string | null;
  readonly parentIdTag: string | null;
  readonly blocked: boolean;
  readonly startDate: Timestamp | null;
  readonly expiringDate: Timestamp | null;
  readonly externalId: string | null;
  /** The last change by the owner. Never decreases. */
  readonly updatedAt: Timestamp;
}

export type TagStanding = 'accepted' | 'blocked' | 'expired' | 'not_yet_valid' | 'unknown';

/** The last two come only from the client's endpoint for real-time authorization. */
export const TAG_REFUSALS = [
  'unknown',
  'blocked',
  'expired',
  'not_yet_valid',
  'in_use',
  'not_allowed_here',
  'no_credit',
] as const;

export type TagVerdict = 'accepted' | (typeof TAG_REFUSALS)[number];

/** The fields of a tag that a client sets. */
export type TagInput = Omit<Tag, 'clientId' | 'idTag' | 'idTagKey' | 'updatedAt'>;

export const TAG_SORT_KEYS = ['idTag', 'tokenName', 'updatedAt'] as const;
export type TagSortKey = (typeof TAG_SORT_KEYS)[number];

/**
 * A tag's text, as OCPP 2.1 can carry it (rule 154): chargers of 1.6 and 2.0.1 have shorter ones. Printable ASCII (1.6:
 * CiString20Type), no space at an end, where displays and forms would lose it.
 */
export const ID_TAG_PATTERN = '^[!-~](?:[ -~]{0,253}[!-~])?$';
/** Characters of a tag or of its parent. */
export const MAX_ID_TAG = 255;

/** Filters a client's tags. An absent field does not filter. */
export interface TagFilter {
  /** A prefix of the idTag or token name, case ignored, or of the external id. */
  readonly search?: string | undefined;
  /** Changed at this time or later. */
  readonly updatedSince?: Timestamp | undefined;
}

export interface TagReader {
  findByKeys(clientId: string, idTagKeys: readonly string[]): Promise<Tag[]>;
  list(clientId: string, filter: TagFilter, page: PageRequest<TagSortKey>): Promise<Page<Tag>>;
}

export interface TagWriter {
  /** Creates or replaces the tag. Without a time of change it is changed now. */
  put(tag: Omit<Tag, 'updatedAt'> & { readonly updatedAt?: Timestamp | undefined }): Promise<void>;
  /** Creates or replaces the tags, in no order. */
  putMany(tags: readonly Tag[]): Promise<void>;
  /** `exists`, with nothing changed, when the client has a tag that differs in case at most. */
  insert(tag: Tag): Promise<'inserted' | 'exists'>;
  /** False when the client has no such tag. */
  update(clientId: string, idTagKey: string, changes: Partial<TagInput>, at: Timestamp): Promise<boolean>;
  /** False when the client has no such tag. */
  delete(clientId: string, idTagKey: string): Promise<boolean>;
}

/** Tags are compared without case (OCPP 1.6 CiString20Type). */
export function tagKey(idTag: string): string {
  return idTag.toLowerCase();
}

/** Returns the key of a client's tag, as one text. */
export function tagId({ clientId, idTagKey }: Pick<Tag, 'clientId' | 'idTagKey'>): string {
  return `${clientId}/${idTagKey}`;
}
