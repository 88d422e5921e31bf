import type { Instant } from './instant';
import type { Session } from './session';

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
  readonly ongoing: readonly Pick<Session, 'incarnationId' | 'socketId'>[];
}

/** A socket of a charger. */
export interface ChargingPlace {
  readonly incarnationId: string;
  readonly socketId: number;
}

export interface TagReader {
  findByKeys(clientId: string, idTagKeys: readonly string[]): Promise<Tag[]>;
}

export interface TagWriter {
  put(tag: Tag): Promise<void>;
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
 * anywhere else (rule 61). Not for Authorize, which drivers also end their own session with.
 */
export function judgeTag({ tag, openCharging, ongoing }: KnownTag, place: ChargingPlace, at: Instant): TagVerdict {
  const standing = standingOf(tag, openCharging, at);
  if (standing !== 'accepted') return standing;
  // The driver does not charge twice at one socket: what stands there as under way has lost its stop.
  const elsewhere = ongoing.some(
    ({ incarnationId, socketId }) => incarnationId !== place.incarnationId || socketId !== place.socketId,
  );
  return elsewhere ? 'in_use' : 'accepted';
}
