import { tagKey } from '@busbar/domain/tags';
import { isOrdered } from '../shared/awaited';
import { authorizationOf, idTagInfo } from './id-tag-info';
import { pendingStartOf } from './remote-commands';
import type { CallHandler } from './route';

/**
 * OCPP 1.6 4.1. A remote start authorizes its tag: some chargers ask before they begin. Never ConcurrentTx, which would prevent
 * drivers from ending their own session (rule 61).
 */
export const authorize: CallHandler<'Authorize'> = {
  prepare(needs, charger, { payload }) {
    needs.tag(charger.clientId, tagKey(payload.idTag));
  },
  apply(charger, { payload, receivedAt, pendingStart }, { lookups }) {
    const standing = authorizationOf(charger, payload.idTag, receivedAt, lookups);
    const pending = pendingStartOf(pendingStart);
    const ordered = isOrdered(charger, { idTagKey: tagKey(payload.idTag), receivedAt, pending });
    const status = ordered && standing === 'Invalid' ? 'Accepted' : standing;
    return { charger, answer: { idTagInfo: idTagInfo(status, lookups.tag(charger.clientId, tagKey(payload.idTag))) } };
  },
};
