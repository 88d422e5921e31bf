// CustomerInformation: what a simulated charger knows of a token.
import type { V2Requests } from '@busbar/ocpp';
import type { ChargerState } from '../charger/charger-state';
import type { ActionHandlers2 } from './action-handler';

type Asked = V2Requests['CustomerInformation'];

export const customerActions: ActionHandlers2 = {
  /**
   * OCPP 2.0.1, N09 and N10: the report is empty where nothing is known or none is requested. The cache forgets the
   * token; the local list is the service's to change.
   */
  CustomerInformation({ state, translation, clock }, request) {
    const { requestId, report, clear, idToken, customerIdentifier, customerCertificate } = request;
    const named = [idToken, customerIdentifier, customerCertificate].filter((each) => each !== undefined);
    if (named.length !== 1) return { answer: { status: 'Invalid' } };
    if (!report && !clear) return { answer: { status: 'Rejected' } };
    const data = report ? knownOf(state, idToken) : '';
    if (clear && idToken !== undefined) state.cache.delete(idToken.idToken.toLowerCase());
    const generatedAt = clock.now().toISOString();
    const part = { requestId, data, seqNo: 0, tbc: false, generatedAt };
    return { answer: { status: 'Accepted' }, then: () => translation.notify('NotifyCustomerInformation', part) };
  },
};

/** It knows tokens alone. */
function knownOf({ cache, localList, sockets }: ChargerState, idToken: Asked['idToken']): string {
  if (idToken === undefined) return '';
  const name = idToken.idToken.toLowerCase();
  const [cached, listed] = [cache.get(name), localList.tags.get(name)];
  return [
    ...(cached === undefined ? [] : [`Authorization cache: ${cached.status}.`]),
    ...(listed === undefined ? [] : [`Local list: ${listed.status}.`]),
    ...sockets.flatMap(({ id, session }) =>
      session?.idTag.toLowerCase() === name ? [`Transaction at EVSE ${String(id)}.`] : [],
    ),
  ].join(' ');
}
