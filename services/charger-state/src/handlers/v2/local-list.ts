import { withListUpdate, withListVersion } from '@busbar/domain/device-state';
import { changeDeviceState } from '../shared/device-state';
import type { OutcomeHandler } from './route';

/** The result of a SendLocalList (OCPP 2.0.1, D01). */
export const sendLocalListOutcome: OutcomeHandler<'SendLocalList'> = {
  prepare: (needs, { chargerId }) => needs.deviceStates(chargerId),
  apply(charger, { payload: { request, status }, receivedAt }, context) {
    if (request === undefined || status !== 'Accepted') return { charger };
    const { versionNumber, updateType, localAuthorizationList = [] } = request;
    const update = {
      version: versionNumber,
      isDifferential: updateType === 'Differential',
      entries: localAuthorizationList.map(({ idToken, idTokenInfo }) => ({
        idTag: idToken.idToken,
        status: idTokenInfo?.status ?? null,
        expiryDate: idTokenInfo?.cacheExpiryDateTime ?? null,
        parentIdTag: idTokenInfo?.groupIdToken?.idToken ?? null,
      })),
      at: receivedAt,
      position: context.position,
    };
    changeDeviceState(charger, context, ({ localList }) => ({ localList: withListUpdate(localList, update) }));
    return { charger };
  },
};

/** The result of a GetLocalListVersion (OCPP 2.0.1, D02). */
export const getLocalListVersionOutcome: OutcomeHandler<'GetLocalListVersion'> = {
  prepare: (needs, { chargerId }) => needs.deviceStates(chargerId),
  apply(charger, { payload: { response }, receivedAt }, context) {
    if (response === undefined) return { charger };
    const reported = { version: response.versionNumber, at: receivedAt, position: context.position };
    changeDeviceState(charger, context, ({ localList }) => ({ localList: withListVersion(localList, reported) }));
    return { charger };
  },
};
