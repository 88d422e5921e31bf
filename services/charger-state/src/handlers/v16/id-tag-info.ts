import { standingOf, tagKey, type Charger, type Instant, type Tag } from '@busbar/domain';
import type { Lookups } from '../../reports/lookups';
import type { CallPayload } from '../handler';

const STATUS = { accepted: 'Accepted', blocked: 'Blocked', expired: 'Expired', unknown: 'Invalid' } as const;

export type AuthorizationStatus = (typeof STATUS)[keyof typeof STATUS] | 'ConcurrentTx';

/** The standing of a tag with the charger's client, in 1.6's words (OCPP 1.6 7.2). */
export function authorizationOf(charger: Charger, idTag: string, at: Instant, lookups: Lookups): AuthorizationStatus {
  const tag = lookups.tag(charger.clientId, tagKey(idTag));
  return STATUS[standingOf(tag, lookups.chargesOpenly(charger.clientId), at)];
}

/** IdTagInfo (OCPP 1.6 7.27): expiry and parent where the tag has them. */
export function idTagInfo(status: AuthorizationStatus, tag: Tag | undefined): CallPayload {
  return {
    status,
    ...(tag?.expiringDate == null ? {} : { expiryDate: tag.expiringDate }),
    ...(tag?.parentIdTag == null ? {} : { parentIdTag: tag.parentIdTag }),
  };
}
