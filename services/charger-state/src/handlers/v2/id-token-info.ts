// The verdict on an idToken, as an IdTokenInfo of OCPP 2.x (C01; rules 155 and 156).
import type { Timestamp } from '@busbar/domain';
import type { Charger } from '@busbar/domain/chargers';
import { standingOf, tagKey, type Tag, type TagStanding, type TagVerdict } from '@busbar/domain/tags';
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

/** IdTokenType of 2.0.1: it would refuse an answer with a longer parent. */
const MAX_PARENT = 36;

/** `needs.tag` must have named the token. Ignores its use elsewhere. */
export function standingAt(
  charger: Charger,
  { idToken, type }: IdToken,
  at: Timestamp,
  { lookups }: Pick<HandlerContext, 'lookups'>,
): TagStanding {
  const { clientId } = charger;
  const chargesOpenly = lookups.chargesOpenly(clientId);
  // The charger vouches for such a token itself.
  if (type === 'Local') return 'accepted';
  if (type === 'NoAuthorization') return chargesOpenly ? 'accepted' : 'unknown';
  return standingOf(lookups.tag(clientId, tagKey(idToken)), chargesOpenly, at);
}

/** The answer for a token whose standing this is: expiry and parent where its tag has them. */
export function idTokenInfo(verdict: TagVerdict, type: string, tag: Tag | undefined): IdTokenInfo {
  // A token without a text is not unknown but unusable.
  const status = verdict === 'unknown' && type === 'NoAuthorization' ? 'Invalid' : STATUS[verdict];
  const parent = tag?.parentIdTag ?? null;
  const isGrouped = parent !== null && parent.length <= MAX_PARENT;
  return {
    status,
    ...(tag?.expiringDate == null ? {} : { cacheExpiryDateTime: tag.expiringDate }),
    ...(isGrouped ? { groupIdToken: { idToken: parent, type: 'Central' } } : {}),
  };
}
