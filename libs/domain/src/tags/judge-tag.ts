// Whether a tag may charge: at all, and at one place.
import type { Timestamp } from '../timestamp';
import type { Session } from '../sessions/session';
import type { Tag, TagStanding, TagVerdict } from './tag';

/** What a tag is judged by. */
export interface KnownTag {
  readonly tag: Tag | undefined;
  /** The client lets unknown tags charge. */
  readonly openCharging: boolean;
  /** Sessions under way with it at the client's chargers. */
  readonly ongoing: readonly (ChargingPlace & Pick<Session, 'tagReleased'>)[];
}

/** A socket of a charger. */
export interface ChargingPlace {
  readonly incarnationId: string;
  readonly socketId: number;
}

/** Whether a tag may charge at that moment, used elsewhere or not. An unknown one may where the client charges openly. */
export function standingOf(tag: Tag | undefined, openCharging: boolean, at: Timestamp): TagStanding {
  if (tag === undefined) return openCharging ? 'accepted' : 'unknown';
  if (tag.blocked) return 'blocked';
  if (tag.expiringDate !== null && tag.expiringDate <= at) return 'expired';
  if (tag.startDate !== null && tag.startDate > at) return 'not_yet_valid';
  return 'accepted';
}

/**
 * Whether a tag may begin a session at that place and moment: its standing, and `in_use` where it has one under way
 * anywhere else (rule 61) whose socket has not become free since. Not for Authorize, which drivers also end their own session with.
 */
export function judgeTag({ tag, openCharging, ongoing }: KnownTag, place: ChargingPlace, at: Timestamp): TagVerdict {
  const standing = standingOf(tag, openCharging, at);
  if (standing !== 'accepted') return standing;
  // The driver does not charge twice at one socket: what stands there as under way has lost its stop.
  const elsewhere = ongoing.some((session) => session.tagReleased !== true && !isSamePlace(session, place));
  return elsewhere ? 'in_use' : 'accepted';
}

/** Another start there takes the place of the one before. */
export function isSamePlace(one: ChargingPlace, other: ChargingPlace): boolean {
  return one.incarnationId === other.incarnationId && one.socketId === other.socketId;
}
