import { tagKey } from '@busbar/domain/tags';
import { isOrdered, isOverridden } from '../shared/awaited';
import { pendingStartOf } from '../shared/judge-start';
import { sourceOf } from '../shared/tag-check';
import { idTagInfo, standingAt, statusOf } from './id-tag-info';
import type { CallHandler } from './route';

/**
 * OCPP 1.6 4.1. A remote start authorizes its tag: some chargers ask before they begin. Never ConcurrentTx, which would prevent
 * drivers from ending their own session (rule 61).
 */
export const authorize: CallHandler<'Authorize'> = {
  prepare(needs, charger, { payload }) {
    needs.tag(charger.clientId, tagKey(payload.idTag));
  },
  apply(charger, { payload: { idTag }, receivedAt, pendingStart, authorization }, { lookups, events }) {
    const standing = standingAt(charger, { idTag, at: receivedAt, authorization }, lookups);
    const pending = pendingStartOf(pendingStart);
    const ordered = isOrdered(charger, { idTagKey: tagKey(idTag), receivedAt, pending });
    const verdict = ordered && isOverridden(standing) ? 'accepted' : standing;
    const tag = lookups.tag(charger.clientId, tagKey(idTag));
    const { source, tookMs } = sourceOf({ tag, standing, verdict, authorization });
    events.emit('tag.checked', { rfidTag: idTag, verdict, source, tookMs });
    return { charger, answer: { idTagInfo: idTagInfo(statusOf(verdict), tag, authorization) } };
  },
};
