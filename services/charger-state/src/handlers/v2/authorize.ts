import { tagKey } from '@busbar/domain/tags';
import { presentedVerdictOf } from '../shared/judge-start';
import { sourceOf } from '../shared/tag-check';
import { idTokenInfo, standingAt } from './id-token-info';
import { certificateStatusOf } from './iso15118';
import type { CallHandler } from './route';

/** OCPP 2.0.1, C01. Never ConcurrentTx, which would prevent drivers from ending their own session (rule 61). */
export const authorize: CallHandler<'Authorize'> = {
  prepare(needs, charger, { payload }) {
    needs.tag(charger.clientId, tagKey(payload.idToken.idToken));
  },
  apply(charger, report, context) {
    const { idToken } = report.payload;
    const certificateStatus = certificateStatusOf(report);
    if (certificateStatus !== undefined && certificateStatus !== 'Accepted') {
      context.events.emit('tag.checked', { rfidTag: idToken.idToken, verdict: 'unknown', source: 'own', tookMs: null });
      return { charger, answer: { idTokenInfo: { status: 'Invalid' }, certificateStatus } };
    }
    const { authorization } = report;
    const idTagKey = tagKey(idToken.idToken);
    const standing = standingAt(charger, idToken, report, context);
    const verdict = presentedVerdictOf(charger, idTagKey, standing, report);
    const tag = context.lookups.tag(charger.clientId, idTagKey);
    const { source, tookMs } = sourceOf({ tag, standing, verdict, authorization });
    context.events.emit('tag.checked', { rfidTag: idToken.idToken, verdict, source, tookMs });
    const info = idTokenInfo(verdict, idToken.type, tag, report);
    return { charger, answer: { idTokenInfo: info, ...(certificateStatus && { certificateStatus }) } };
  },
};
