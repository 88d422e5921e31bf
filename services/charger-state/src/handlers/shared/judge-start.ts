// The verdict on the tag with which a session begins, of any version of OCPP.
import type { EnvelopeAuthorization, PendingStart } from '@busbar/contracts';
import type { Timestamp } from '@busbar/domain';
import type { Charger } from '@busbar/domain/chargers';
import type { AuthorizationSource, Session } from '@busbar/domain/sessions';
import { judgeTag, tagKey, type TagVerdict } from '@busbar/domain/tags';
import type { Lookups } from '../../pipeline/contract';
import { isOrdered, isOverridden, type OrderedUse } from './awaited';

/** The message with which a charger presents a tag. */
export interface Presentation {
  readonly receivedAt: Timestamp;
  readonly authorization?: EnvelopeAuthorization | undefined;
  readonly pendingStart?: PendingStart | undefined;
  /** OCPP 2.x: the remote start that the session names. */
  readonly remoteStartId?: number | undefined;
}

/**
 * Decides whether the tag may begin this session now. `needs.ongoingWithTag` must have named the tag. A session that
 * began offline is not refused for the tag's use elsewhere.
 */
export function startVerdictOf(
  session: Pick<Session, 'clientId' | 'idTagKey' | 'incarnationId' | 'socketId' | 'startedOffline' | 'device'>,
  { receivedAt, authorization }: Presentation,
  lookups: Lookups,
): TagVerdict {
  const { clientId, idTagKey } = session;
  const ongoing = session.startedOffline ? [] : lookups.ongoingWithTag(clientId, idTagKey);
  const tag = lookups.tag(clientId, idTagKey);
  const openCharging = lookups.chargesOpenly(clientId);
  const tokenType = session.device?.idTokenType ?? undefined;
  const known = { tag, tokenType, openCharging, authorization: authorization?.verdict, ongoing };
  return judgeTag(known, session, receivedAt);
}

/** The verdict that a new session has. A start that a remote start ordered is accepted, unless the tag is blocked or expired. */
export function judgeStart(
  charger: Charger,
  session: Session,
  presentation: Presentation,
  lookups: Lookups,
): Required<Pick<Session, 'verdict' | 'authorizedBy'>> {
  const { receivedAt, pendingStart, authorization, remoteStartId } = presentation;
  const verdict = startVerdictOf(session, presentation, lookups);
  const pending = pendingStartOf(pendingStart);
  const use = { idTagKey: session.idTagKey, start: session, remoteStartId, receivedAt, pending };
  if (isOverridden(verdict) && isOrdered(charger, use)) return { verdict: 'accepted', authorizedBy: 'remote_start' };
  const isListed = lookups.tag(session.clientId, session.idTagKey) !== undefined;
  return { verdict, authorizedBy: authorityOf(verdict, isListed, authorization?.source) };
}

function authorityOf(
  verdict: TagVerdict,
  isListed: boolean,
  source: EnvelopeAuthorization['source'] | undefined,
): AuthorizationSource {
  if (isListed || verdict === 'in_use') return 'own';
  if (source !== undefined) return source;
  return verdict === 'accepted' ? 'open' : 'own';
}

/**
 * The verdict on a tag that is presented outside of a start, and whose standing this is. A remote start authorizes its tag: some chargers
 * ask before they begin.
 */
export function presentedVerdictOf(
  charger: Charger,
  idTagKey: string,
  standing: TagVerdict,
  { receivedAt, pendingStart }: Presentation,
): TagVerdict {
  const pending = pendingStartOf(pendingStart);
  return isOverridden(standing) && isOrdered(charger, { idTagKey, receivedAt, pending }) ? 'accepted' : standing;
}

/** The order of a remote start to which the charger has not responded yet. */
function pendingStartOf(start: PendingStart | undefined): OrderedUse['pending'] {
  if (start === undefined) return undefined;
  const { rfidTag, socketId = null, remoteStartId } = start;
  return { idTagKey: tagKey(rfidTag), socketId, ...(remoteStartId === undefined ? {} : { remoteStartId }) };
}

/**
 * Returns whether a start elsewhere at the same time may take the tag from it. Not from a session that began offline,
 * by a remote start, or whose socket is free already.
 */
export function isContested({ verdict, state, startedOffline, authorizedBy, tagReleased }: Session): boolean {
  if (verdict !== 'accepted' || state !== 'ongoing' || tagReleased === true) return false;
  return !startedOffline && authorizedBy !== 'remote_start';
}
