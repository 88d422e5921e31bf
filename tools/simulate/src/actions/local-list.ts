// GetLocalListVersion and SendLocalList.
import { isOn } from '../charger/configuration';
import { updateLocalList } from '../charger/local-list';
import type { ActionHandlers } from './action-handler';

/** OCPP 1.6, 5.10: no local list is supported. */
const NO_LIST = -1;

export const localListActions: ActionHandlers = {
  GetLocalListVersion: ({ state }) => ({
    answer: { listVersion: isOn(state.configuration, 'LocalAuthListEnabled') ? state.localList.version : NO_LIST },
  }),

  /** 5.15. */
  SendLocalList({ state }, update) {
    if (!isOn(state.configuration, 'LocalAuthListEnabled')) return { answer: { status: 'NotSupported' } };
    return { answer: { status: updateLocalList(state.localList, update) } };
  },
};
