import { type Timestamp } from '@busbar/domain';
import { type Charger } from '@busbar/domain/chargers';
import { type Session } from '@busbar/domain/sessions';
import { judgeTag, standingOf, tagKey, type Tag, type TagStanding, type TagVerdict } from '@busbar/domain/tags';
import type { Lookups } from '../../pipeline/contract';
import type { ResponseOf } from './route';

type IdTagInfo = ResponseOf<'Authorize'>['idTagInfo'];

/** OCPP 1.6 7.2. A tag that is not yet valid is Invalid, as an unknown one. */
const STATUS = {
  accepted: 'Accepted',
  blocked: 'Blocked',
  expired: 'Expired',
  not_yet_valid: 'Invalid',
  unknown: 'Invalid',
  in_use: 'ConcurrentTx',
  // 1.6 has no word for these reasons.
  not_allowed_here: 'Blocked',
  no_credit: 'Blocked',
} as const;

/** OCPP 1.6 7.15, CiString20Type: a charger would refuse an answer with a longer parent. */
const MAX_PARENT = 20;

export type AuthorizationStatus = (typeof STATUS)[keyof typeof STATUS];

/** A verdict as an AuthorizationStatus of 1.6. */
export function statusOf(verdict: TagVerdict): AuthorizationStatus {
  return STATUS[verdict];
}

/** The standing of a tag with the charger's client. Ignores its use elsewhere. */
export function authorizationOf(charger: Charger, idTag: string, at: Timestamp, lookups: Lookups): AuthorizationStatus {
  return STATUS[standingAt(charger, idTag, at, lookups)];
}

/** The same, as a verdict. */
export function standingAt(charger: Charger, idTag: string, at: Timestamp, lookups: Lookups): TagStanding {
  const tag = lookups.tag(charger.clientId, tagKey(idTag));
  return standingOf(tag, lookups.chargesOpenly(charger.clientId), at);
}

/**
 * Decides whether the tag may begin this session now. `needs.ongoingWithTag` must have named the tag. A session that
 * began offline is not refused for the tag's use elsewhere.
 */
export function startVerdictOf(
  session: Pick<Session, 'clientId' | 'idTagKey' | 'incarnationId' | 'socketId' | 'startedOffline'>,
  at: Timestamp,
  lookups: Lookups,
): TagVerdict {
  const { clientId, idTagKey } = session;
  const ongoing = session.startedOffline ? [] : lookups.ongoingWithTag(clientId, idTagKey);
  const known = { tag: lookups.tag(clientId, idTagKey), openCharging: lookups.chargesOpenly(clientId), ongoing };
  return judgeTag(known, session, at);
}

/** IdTagInfo (OCPP 1.6 7.27): expiry and parent where the tag has them. */
export function idTagInfo(status: AuthorizationStatus, tag: Tag | undefined): IdTagInfo {
  return {
    status,
    ...(tag?.expiringDate == null ? {} : { expiryDate: tag.expiringDate }),
    ...parentOf(tag),
  };
}

function parentOf(tag: Tag | undefined): Pick<IdTagInfo, 'parentIdTag'> {
  const parentIdTag = tag?.parentIdTag ?? null;
  return parentIdTag === null || parentIdTag.length > MAX_PARENT ? {} : { parentIdTag };
}
