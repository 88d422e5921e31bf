import type { Instant } from './instant';
import type { Listed, PageWanted } from './listing';
import { isRefused, type Session } from './session';

/** A driver's token (OCPP idTag). */
export interface Tag {
  readonly clientId: string;
  readonly idTag: string;
  /** Lower case: tags are compared without regard to case. */
  readonly idTagKey: string;
  readonly tokenName: string | null;
  readonly parentIdTag: string | null;
  readonly blocked: boolean;
  readonly startDate: Instant | null;
  readonly expiringDate: Instant | null;
  readonly externalId: string | null;
}

export type TagStanding = 'accepted' | 'blocked' | 'expired' | 'not_yet_valid' | 'unknown';

export type TagVerdict = TagStanding | 'in_use';

/** What a tag is judged by. */
export interface KnownTag {
  readonly tag: Tag | undefined;
  /** The client lets unknown tags charge. */
  readonly openCharging: boolean;
  /** Sessions under way with it at the client's chargers. */
  readonly ongoing: readonly Pick<Session, 'incarnationId' | 'socketId' | 'verdict' | 'goesOn'>[];
}

/** A socket of a charger. */
export interface ChargingPlace {
  readonly incarnationId: string;
  readonly socketId: number;
}

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
    page: PageWanted<TagSortKey>,
  ): Promise<Listed<Tag>>;
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

/** Whether a tag may charge at that moment, used elsewhere or not. An unknown one may where the client charges openly. */
export function standingOf(tag: Tag | undefined, openCharging: boolean, at: Instant): TagStanding {
  if (tag === undefined) return openCharging ? 'accepted' : 'unknown';
  if (tag.blocked) return 'blocked';
  if (tag.expiringDate !== null && tag.expiringDate <= at) return 'expired';
  if (tag.startDate !== null && tag.startDate > at) return 'not_yet_valid';
  return 'accepted';
}

/**
 * Whether a tag may begin a session at that place and moment: its standing, and `in_use` where it has one under way
 * anywhere else (rule 61) that was not refused. Not for Authorize, which drivers also end their own session with.
 */
export function judgeTag({ tag, openCharging, ongoing }: KnownTag, place: ChargingPlace, at: Instant): TagVerdict {
  const standing = standingOf(tag, openCharging, at);
  if (standing !== 'accepted') return standing;
  // The driver does not charge twice at one socket: what stands there as under way has lost its stop.
  const elsewhere = ongoing.some((session) => !isRefused(session) && !isSamePlace(session, place));
  return elsewhere ? 'in_use' : 'accepted';
}

/** Another start there takes the place of the one before. */
export function isSamePlace(one: ChargingPlace, other: ChargingPlace): boolean {
  return one.incarnationId === other.incarnationId && one.socketId === other.socketId;
}
