import type { EnvelopeAuthorization } from '@busbar/contracts';
import { type Timestamp } from '@busbar/domain';
import { type Charger } from '@busbar/domain/chargers';
import { authorizedStandingOf, standingOf, tagKey, type Tag, type TagVerdict } from '@busbar/domain/tags';
import { carriedParent } from '@busbar/ocpp';
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

export type AuthorizationStatus = (typeof STATUS)[keyof typeof STATUS];

/** A verdict as an AuthorizationStatus of 1.6. */
export function statusOf(verdict: TagVerdict): AuthorizationStatus {
  return STATUS[verdict];
}

/** The standing of a tag with the charger's client. Ignores its use elsewhere. */
export function authorizationOf(charger: Charger, idTag: string, at: Timestamp, lookups: Lookups): AuthorizationStatus {
  const tag = lookups.tag(charger.clientId, tagKey(idTag));
  return STATUS[standingOf(tag, lookups.chargesOpenly(charger.clientId), at)];
}

/** A tag that a charger presents. */
export interface PresentedTag {
  readonly idTag: string;
  readonly at: Timestamp;
  readonly authorization: EnvelopeAuthorization | undefined;
}

/** The same as a verdict, where real-time authorization may have judged a tag that the client does not have. */
export function standingAt(
  charger: Charger,
  { idTag, at, authorization }: PresentedTag,
  lookups: Lookups,
): Exclude<TagVerdict, 'in_use'> {
  const tag = lookups.tag(charger.clientId, tagKey(idTag));
  const openCharging = lookups.chargesOpenly(charger.clientId);
  return authorizedStandingOf({ tag, openCharging, authorization: authorization?.verdict }, at);
}

/**
 * IdTagInfo (OCPP 1.6 7.27): expiry and parent where the tag has them, or where real-time authorization gives them for a tag that the
 * client does not have.
 */
export function idTagInfo(
  status: AuthorizationStatus,
  tag: Tag | undefined,
  authorization?: EnvelopeAuthorization,
): IdTagInfo {
  const { expiringDate = null, parentIdTag = null } = tag ?? {
    expiringDate: authorization?.expiresAt,
    parentIdTag: authorization?.parentIdTag,
  };
  const parent = carriedParent('ocpp1.6', parentIdTag);
  return {
    status,
    ...(expiringDate === null ? {} : { expiryDate: expiringDate }),
    ...(parent === undefined ? {} : { parentIdTag: parent }),
  };
}
