import type { Timestamp } from '../timestamp';
import type { Page, PageRequest } from '../page';

/** A driver's token (OCPP idTag). */
export interface Tag {
  readonly clientId: string;
  readonly idTag: string;
  /** Lower case: tags are compared without regard to case. */
  readonly idTagKey: string;
  readonly tokenName: string | null;
  readonly parentIdTag: string | null;
  readonly blocked: boolean;
  readonly startDate: Timestamp | null;
  readonly expiringDate: Timestamp | null;
  readonly externalId: string | null;
}

export type TagStanding = 'accepted' | 'blocked' | 'expired' | 'not_yet_valid' | 'unknown';

export type TagVerdict = TagStanding | 'in_use';

/** What a client may say of a tag, and change of it. */
export type TagInput = Omit<Tag, 'clientId' | 'idTag' | 'idTagKey'>;

export const TAG_SORT_KEYS = ['idTag', 'tokenName'] as const;
export type TagSortKey = (typeof TAG_SORT_KEYS)[number];

/**
 * A tag's text: OCPP 1.6 carries 20 characters of it, 2.0.1 36. Printable ASCII (1.6: CiString20Type), no space at an end,
 * where a charger's display or a form would lose it.
 */
export const ID_TAG_PATTERN = '^[!-~](?:[ -~]{0,34}[!-~])?$';

export interface TagReader {
  findByKeys(clientId: string, idTagKeys: readonly string[]): Promise<Tag[]>;
  /** `search`: how an idTag, a token name or an external id begins, the first two without case. */
  list(
    clientId: string,
    filter: { readonly search?: string | undefined },
    page: PageRequest<TagSortKey>,
  ): Promise<Page<Tag>>;
}

export interface TagWriter {
  /** Makes the tag, or replaces all that is said of it. */
  put(tag: Tag): Promise<void>;
  /** `exists` when the client has a tag that differs in case at most; nothing is changed then. */
  insert(tag: Tag): Promise<'inserted' | 'exists'>;
  /** False when the client has no such tag. */
  update(clientId: string, idTagKey: string, changes: Partial<TagInput>): Promise<boolean>;
  /** False when the client has no such tag. */
  delete(clientId: string, idTagKey: string): Promise<boolean>;
}

/** Tags are compared without case (OCPP 1.6 CiString20Type). */
export function tagKey(idTag: string): string {
  return idTag.toLowerCase();
}
