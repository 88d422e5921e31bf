import { withListUpdate, withListVersion } from '@busbar/domain/device-state';
import { changeDeviceState } from '../shared/device-state';
import type { OutcomeHandler } from './route';

/** The result of a SendLocalList (OCPP 1.6 5.15). */
export const sendLocalListOutcome: OutcomeHandler<'SendLocalList'> = {
  prepare: (needs, { chargerId }) => needs.deviceStates(chargerId),
  apply(charger, { payload: { request, status }, receivedAt }, context) {
    if (request === undefined || status !== 'Accepted') return { charger };
    const { listVersion, updateType, localAuthorizationList = [] } = request;
    const update = {
      version: listVersion,
      isDifferential: updateType === 'Differential',
      entries: localAuthorizationList.map(({ idTag, idTagInfo }) => ({
        idTag,
        status: idTagInfo?.status ?? null,
        expiryDate: idTagInfo?.expiryDate ?? null,
        parentIdTag: idTagInfo?.parentIdTag ?? null,
      })),
      at: receivedAt,
      position: context.position,
    };
    changeDeviceState(charger, context, ({ localList }) => ({ localList: withListUpdate(localList, update) }));
    return { charger };
  },
};

/** The result of a GetLocalListVersion (OCPP 1.6 5.10). */
export const getLocalListVersionOutcome: OutcomeHandler<'GetLocalListVersion'> = {
  prepare: (needs, { chargerId }) => needs.deviceStates(chargerId),
  apply(charger, { payload: { request, response }, receivedAt }, context) {
    if (request === undefined || response === undefined) return { charger };
    const reported = { version: response.listVersion, at: receivedAt, position: context.position };
    changeDeviceState(charger, context, ({ localList }) => ({ localList: withListVersion(localList, reported) }));
    return { charger };
  },
};
