import { judgeTag, standingOf, tagKey, type Charger, type Instant, type Session, type Tag } from '@busbar/domain';
import type { Lookups } from '../../reports/lookups';
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

export type AuthorizationStatus = (typeof STATUS)[keyof typeof STATUS];

/** The standing of a tag with the charger's client, in 1.6's words. Says nothing of its use elsewhere. */
export function authorizationOf(charger: Charger, idTag: string, at: Instant, lookups: Lookups): AuthorizationStatus {
  const tag = lookups.tag(charger.clientId, tagKey(idTag));
  return STATUS[standingOf(tag, lookups.chargesOpenly(charger.clientId), at)];
}

/** May this tag begin this session now, in 1.6's words. `needs.ongoingWithTag` must have named the tag. */
export function startAuthorizationOf(session: Session, at: Instant, lookups: Lookups): AuthorizationStatus {
  const { clientId, idTagKey } = session;
  const ongoing = lookups.ongoingWithTag(clientId, idTagKey);
  const known = { tag: lookups.tag(clientId, idTagKey), openCharging: lookups.chargesOpenly(clientId), ongoing };
  return STATUS[judgeTag(known, session, at)];
}

/** IdTagInfo (OCPP 1.6 7.27): expiry and parent where the tag has them. */
export function idTagInfo(status: AuthorizationStatus, tag: Tag | undefined): CallPayload {
  return {
    status,
    ...(tag?.expiringDate == null ? {} : { expiryDate: tag.expiringDate }),
    ...(tag?.parentIdTag == null ? {} : { parentIdTag: tag.parentIdTag }),
  };
}
