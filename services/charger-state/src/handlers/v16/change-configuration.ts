import { maskPayload } from '@busbar/ocpp';
import { withResolvedKey } from '../shared/authorization-key';
import { isTaken, withChangedItem } from '../shared/configuration';
import { responseOf, type OutcomeHandler } from './route';

/** The result of a ChangeConfiguration (OCPP 1.6 5.3). Secret values are stored masked. */
export const changeConfigurationOutcome: OutcomeHandler<'ChangeConfiguration'> = {
  apply(before, { commandId, payload: { result, request, status }, order, receivedAt: at }, { position }) {
    const end = { result, status: responseOf('ChangeConfiguration', result)?.status, order, at };
    const charger = commandId === undefined ? before : withResolvedKey(before, commandId, end);
    if (request === undefined || !isTaken(status)) return { charger };
    const { key, value } = maskPayload(request);
    return { charger: withChangedItem(charger, { configName: key, configValue: value }, { at, position }) };
  },
};
