import type { CallOutcome } from '@busbar/contracts';
import { withListUpdate, withListVersion } from '@busbar/domain/device-state';
import type { Handler } from '../handler';
import { changeDeviceState } from '../shared/device-state';
import { exchangeOf } from './exchange';

/** How our SendLocalList ended (OCPP 1.6 5.15). */
export const sendLocalListOutcome: Handler<CallOutcome> = {
  prepare: (needs, { chargerId }) => needs.deviceStates(chargerId),
  apply(charger, report, context) {
    const exchange = exchangeOf('SendLocalList', report);
    if (exchange?.status !== 'Accepted') return { charger };
    const { listVersion, updateType, localAuthorizationList = [] } = exchange.request;
    const update = {
      version: listVersion,
      isDifferential: updateType === 'Differential',
      entries: localAuthorizationList.map(({ idTag, idTagInfo }) => ({
        idTag,
        status: idTagInfo?.status ?? null,
        expiryDate: idTagInfo?.expiryDate ?? null,
        parentIdTag: idTagInfo?.parentIdTag ?? null,
      })),
      ...{ at: report.receivedAt, position: context.position },
    };
    changeDeviceState(charger, context, ({ localList }) => ({ localList: withListUpdate(localList, update) }));
    return { charger };
  },
};

/** How our GetLocalListVersion ended (OCPP 1.6 5.10). */
export const getLocalListVersionOutcome: Handler<CallOutcome> = {
  prepare: (needs, { chargerId }) => needs.deviceStates(chargerId),
  apply(charger, report, context) {
    const version = exchangeOf('GetLocalListVersion', report)?.answer['listVersion'];
    if (typeof version !== 'number') return { charger };
    const told = { version, at: report.receivedAt, position: context.position };
    changeDeviceState(charger, context, ({ localList }) => ({ localList: withListVersion(localList, told) }));
    return { charger };
  },
};
