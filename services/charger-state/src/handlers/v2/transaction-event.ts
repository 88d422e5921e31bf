import { tagKey } from '@busbar/domain/tags';
import { idTokenInfo, standingAt } from './id-token-info';
import type { CallHandler } from './route';

/** OCPP 2.0.1, E. Answers with the standing of the token where the event has one. Sessions are not kept yet. */
export const transactionEvent: CallHandler<'TransactionEvent'> = {
  prepare(needs, charger, { payload: { idToken } }) {
    if (idToken !== undefined) needs.tag(charger.clientId, tagKey(idToken.idToken));
  },
  apply(charger, report, context) {
    const { idToken } = report.payload;
    if (idToken === undefined) return { charger, answer: {} };
    const standing = standingAt(charger, idToken, report, context);
    const tag = context.lookups.tag(charger.clientId, tagKey(idToken.idToken));
    return { charger, answer: { idTokenInfo: idTokenInfo(standing, idToken.type, tag, report.authorization) } };
  },
};
