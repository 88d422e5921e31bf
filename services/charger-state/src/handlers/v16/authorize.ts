import { tagKey } from '@busbar/domain/tags';
import { isOrdered } from '../shared/awaited';
import { idTagInfo, standingAt, statusOf } from './id-tag-info';
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
  apply(charger, { payload, receivedAt, pendingStart }, { lookups, events }) {
    const standing = standingAt(charger, payload.idTag, receivedAt, lookups);
    const pending = pendingStartOf(pendingStart);
    const ordered = isOrdered(charger, { idTagKey: tagKey(payload.idTag), receivedAt, pending });
    const verdict = ordered && statusOf(standing) === 'Invalid' ? 'accepted' : standing;
    const tag = lookups.tag(charger.clientId, tagKey(payload.idTag));
    // An unknown tag is accepted without an order only where the client lets any tag charge.
    const source = tag === undefined && standing === 'accepted' ? 'open' : 'own';
    events.emit('tag.checked', { rfidTag: payload.idTag, verdict, source, tookMs: null });
    return { charger, answer: { idTagInfo: idTagInfo(statusOf(verdict), tag) } };
  },
};
