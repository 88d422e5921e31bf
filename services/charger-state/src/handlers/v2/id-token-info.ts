// The verdict on an idToken, as an IdTokenInfo of OCPP 2.x (C01; rules 155 and 156).
import type { ReportEnvelope } from '@busbar/contracts';
import type { Charger } from '@busbar/domain/chargers';
import { authorizedStandingOf, tagKey, type Tag, type TagVerdict } from '@busbar/domain/tags';
import { carriedParent } from '@busbar/ocpp';
import type { HandlerContext } from '../../pipeline/contract';
import type { RequestOf, ResponseOf } from './route';

export type IdToken = RequestOf<'Authorize'>['idToken'];
export type IdTokenInfo = ResponseOf<'Authorize'>['idTokenInfo'];

const STATUS = {
  accepted: 'Accepted',
  blocked: 'Blocked',
  expired: 'Expired',
  not_yet_valid: 'NotAtThisTime',
  unknown: 'Unknown',
  in_use: 'ConcurrentTx',
  not_allowed_here: 'NotAtThisLocation',
  no_credit: 'NoCredit',
} as const satisfies Record<TagVerdict, string>;

/** `needs.tag` must have named the token. Ignores its use elsewhere. */
export function standingAt(
  charger: Charger,
  { idToken, type }: IdToken,
  { receivedAt, authorization }: Pick<ReportEnvelope, 'receivedAt' | 'authorization'>,
  { lookups }: Pick<HandlerContext, 'lookups'>,
): Exclude<TagVerdict, 'in_use'> {
  const { clientId } = charger;
  const openCharging = lookups.chargesOpenly(clientId);
  // The charger vouches for such a token itself.
  if (type === 'Local') return 'accepted';
  if (type === 'NoAuthorization') return openCharging ? 'accepted' : 'unknown';
  const tag = lookups.tag(clientId, tagKey(idToken));
  return authorizedStandingOf(
    { tag, tokenType: type, openCharging, authorization: authorization?.verdict },
    receivedAt,
  );
}

/**
 * The answer for a token whose standing this is: expiry and parent where its tag has them, or where real-time authorization gives them
 * for a tag that the client does not have. A parent that the version cannot carry is left out.
 */
export function idTokenInfo(
  verdict: TagVerdict,
  type: string,
  tag: Tag | undefined,
  { authorization, ocppVersion }: Pick<ReportEnvelope, 'authorization' | 'ocppVersion'>,
): IdTokenInfo {
  const status = statusOf(verdict, type);
  // Of another type than its tag.
  if (verdict === 'unknown' && tag !== undefined) return { status };
  const { expiringDate = null, parentIdTag: parent = null } = tag ?? {
    expiringDate: authorization?.expiresAt,
    parentIdTag: authorization?.parentIdTag,
  };
  const group = carriedParent(ocppVersion, parent);
  return {
    status,
    ...(expiringDate === null ? {} : { cacheExpiryDateTime: expiringDate }),
    ...(group === undefined ? {} : { groupIdToken: { idToken: group, type: 'Central' } }),
  };
}

/** A token without a text is not unknown but unusable. */
function statusOf(verdict: TagVerdict, type: string): IdTokenInfo['status'] {
  return verdict === 'unknown' && type === 'NoAuthorization' ? 'Invalid' : STATUS[verdict];
}
