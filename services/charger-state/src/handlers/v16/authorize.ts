import { tagKey } from '@busbar/domain/tags';
import { presentedVerdictOf } from '../shared/judge-start';
import { sourceOf } from '../shared/tag-check';
import { idTagInfo, standingAt, statusOf } from './id-tag-info';
import type { CallHandler } from './route';

/** OCPP 1.6 4.1. Never ConcurrentTx, which would prevent drivers from ending their own session (rule 61). */
export const authorize: CallHandler<'Authorize'> = {
  prepare(needs, charger, { payload }) {
    needs.tag(charger.clientId, tagKey(payload.idTag));
  },
  apply(charger, report, { lookups, events }) {
    const { receivedAt, authorization } = report;
    const { idTag } = report.payload;
    const idTagKey = tagKey(idTag);
    const standing = standingAt(charger, { idTag, at: receivedAt, authorization }, lookups);
    const verdict = presentedVerdictOf(charger, idTagKey, standing, report);
    const tag = lookups.tag(charger.clientId, idTagKey);
    const { source, tookMs } = sourceOf({ tag, standing, verdict, authorization });
    events.emit('tag.checked', { rfidTag: idTag, verdict, source, tookMs });
    return { charger, answer: { idTagInfo: idTagInfo(statusOf(verdict), tag, authorization) } };
  },
};
