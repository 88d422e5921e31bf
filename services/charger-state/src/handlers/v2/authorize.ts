import { tagKey } from '@busbar/domain/tags';
import { sourceOf } from '../shared/tag-check';
import { idTokenInfo, standingAt } from './id-token-info';
import type { CallHandler } from './route';

/** OCPP 2.0.1, C01. Never ConcurrentTx, which would prevent drivers from ending their own session (rule 61). */
export const authorize: CallHandler<'Authorize'> = {
  prepare(needs, charger, { payload }) {
    needs.tag(charger.clientId, tagKey(payload.idToken.idToken));
  },
  apply(charger, report, context) {
    const { idToken } = report.payload;
    const { authorization } = report;
    const standing = standingAt(charger, idToken, report, context);
    const tag = context.lookups.tag(charger.clientId, tagKey(idToken.idToken));
    const { source, tookMs } = sourceOf({ tag, standing, verdict: standing, authorization });
    context.events.emit('tag.checked', { rfidTag: idToken.idToken, verdict: standing, source, tookMs });
    return { charger, answer: { idTokenInfo: idTokenInfo(standing, idToken.type, tag, authorization) } };
  },
};
