import { type Timestamp } from '@busbar/domain';
import { type Charger } from '@busbar/domain/chargers';
import { type Session } from '@busbar/domain/sessions';
import { judgeTag, standingOf, tagKey, type Tag, type TagVerdict } from '@busbar/domain/tags';
import type { Lookups } from '../../pipeline/lookups';
import type { CallPayload } from '../handler';

/** OCPP 1.6 7.2. A tag whose time has not come is no more known than one that was never given. */
const STATUS = {
  accepted: 'Accepted',
  blocked: 'Blocked',
  expired: 'Expired',
  not_yet_valid: 'Invalid',
  unknown: 'Invalid',
  in_use: 'ConcurrentTx',
} as const;

/** OCPP 1.6 7.15, CiString20Type: longer parents are for later versions, and a charger of this one would refuse the answer. */
const MAX_PARENT = 20;

export type AuthorizationStatus = (typeof STATUS)[keyof typeof STATUS];

/** A verdict in 1.6's words. */
export function statusOf(verdict: TagVerdict): AuthorizationStatus {
  return STATUS[verdict];
}

/** The standing of a tag with the charger's client, in 1.6's words. Says nothing of its use elsewhere. */
export function authorizationOf(charger: Charger, idTag: string, at: Timestamp, lookups: Lookups): AuthorizationStatus {
  const tag = lookups.tag(charger.clientId, tagKey(idTag));
  return STATUS[standingOf(tag, lookups.chargesOpenly(charger.clientId), at)];
}

/**
 * May this tag begin this session now. `needs.ongoingWithTag` must have named the tag. What was begun without a connection
 * cannot be forbidden any more for being begun twice.
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
export function idTagInfo(status: AuthorizationStatus, tag: Tag | undefined): CallPayload {
  return {
    status,
    ...(tag?.expiringDate == null ? {} : { expiryDate: tag.expiringDate }),
    ...parentOf(tag),
  };
}

function parentOf(tag: Tag | undefined): CallPayload {
  const parentIdTag = tag?.parentIdTag ?? null;
  return parentIdTag === null || parentIdTag.length > MAX_PARENT ? {} : { parentIdTag };
}
