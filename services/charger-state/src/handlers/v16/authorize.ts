import { tagKey } from '@busbar/domain';
import type { Handler } from '../handler';
import { authorizationOf, idTagInfo } from './id-tag-info';

interface Authorize {
  readonly idTag: string;
}

/** OCPP 1.6 4.1. Never ConcurrentTx, which would keep drivers from ending their own session (rule 61). */
export const authorize: Handler<Authorize> = {
  prepare(needs, charger, { payload }) {
    needs.tag(charger.clientId, tagKey(payload.idTag));
  },
  apply(charger, { payload, receivedAt }, { lookups }) {
    const status = authorizationOf(charger, payload.idTag, receivedAt, lookups);
    return { charger, answer: { idTagInfo: idTagInfo(status, lookups.tag(charger.clientId, tagKey(payload.idTag))) } };
  },
};
