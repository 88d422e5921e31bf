// Decides whether a tag may charge, in general and at one socket.
import type { Timestamp } from '../timestamp';
import type { DeviceTransaction, Session } from '../sessions/session';
import type { Tag, TagStanding, TagVerdict } from './tag';

/** The facts that a tag is judged by. */
export interface KnownTag {
  readonly tag: Tag | undefined;
  /** The type of the token that is presented (OCPP 2.x). Undefined: it has none. */
  readonly tokenType?: string | undefined;
  /** The client accepts unknown tags. */
  readonly openCharging: boolean;
  /** The verdict of real-time authorization, if the client does not have the tag. `openCharging` does not count then. */
  readonly authorization?: Exclude<TagVerdict, 'in_use'> | undefined;
  /** Its ongoing sessions at the client's chargers. */
  readonly ongoing: readonly (ChargingPlace & Pick<Session, 'tagReleased'>)[];
}

/** A socket of a charger, in OCPP 2.x a connector of an EVSE. */
export interface ChargingPlace {
  readonly incarnationId: string;
  readonly socketId: number;
  readonly device?: Pick<DeviceTransaction, 'evseId'>;
}

/**
 * The verdict on a tag at that time, without regard to its sessions. Unknown tags are accepted where the client has
 * open charging.
 */
export function standingOf(tag: Tag | undefined, openCharging: boolean, at: Timestamp): TagStanding {
  if (tag === undefined) return openCharging ? 'accepted' : 'unknown';
  if (tag.blocked) return 'blocked';
  if (tag.expiringDate !== null && tag.expiringDate <= at) return 'expired';
  if (tag.startDate !== null && tag.startDate > at) return 'not_yet_valid';
  return 'accepted';
}

/**
 * The same, where real-time authorization may have judged a tag that is unknown. A token of another type than its tag's is unknown (rule
 * 154).
 */
export function authorizedStandingOf(
  { tag, tokenType, openCharging, authorization }: Omit<KnownTag, 'ongoing'>,
  at: Timestamp,
): Exclude<TagVerdict, 'in_use'> {
  const type = tag?.type ?? tokenType;
  if (type !== undefined && tokenType !== undefined && type.toLowerCase() !== tokenType.toLowerCase()) return 'unknown';
  return tag === undefined && authorization !== undefined ? authorization : standingOf(tag, openCharging, at);
}

/**
 * The verdict on a session with the tag at that socket and time. It is the tag's standing, or `in_use` with an ongoing
 * session elsewhere (rule 61) whose socket has not become free since. Not for Authorize, by which drivers also end their
 * session.
 */
export function judgeTag(known: KnownTag, place: ChargingPlace, at: Timestamp): TagVerdict {
  const standing = authorizedStandingOf(known, at);
  if (standing !== 'accepted') return standing;
  // A driver does not charge twice at one place: the ongoing session there has lost its stop.
  const elsewhere = known.ongoing.some((session) => session.tagReleased !== true && !isSamePlace(session, place));
  return elsewhere ? 'in_use' : 'accepted';
}

/** Another start at the same socket supersedes the session before; in OCPP 2.x one at the same EVSE (rule 145). */
export function isSamePlace(one: ChargingPlace, other: ChargingPlace): boolean {
  if (one.incarnationId !== other.incarnationId) return false;
  const evseIds = [one.device?.evseId ?? null, other.device?.evseId ?? null];
  return evseIds.includes(null) ? one.socketId === other.socketId : evseIds[0] === evseIds[1];
}
