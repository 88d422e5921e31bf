// Reset, ChangeAvailability, ClearCache and DataTransfer.
import { isBusy, socketOf, type Socket } from '../charger/charger-state';
import type { ActionHandlers } from './action-handler';

export const controlActions: ActionHandlers = {
  /** OCPP 1.6, 5.14. */
  Reset: (control, { type }) => ({
    answer: { status: 'Accepted' },
    then: () => control.reset(type === 'Hard' ? 'HardReset' : 'SoftReset'),
  }),

  /** 5.2: at a connector, or at the charger and all of them. During a session it is scheduled. */
  ChangeAvailability(control, { connectorId, type }) {
    const { state } = control;
    const isOperative = type === 'Operative';
    const socket = socketOf(state, connectorId);
    if (connectorId !== 0 && socket === undefined) return { answer: { status: 'Rejected' } };
    const sockets = socket === undefined ? state.sockets : [socket];
    const then = (): void => {
      if (connectorId === 0) state.isOperative = isOperative;
      control.reportStatuses();
    };
    const isScheduled = sockets.filter((each) => !setAvailability(each, isOperative)).length > 0;
    return { answer: { status: isScheduled ? 'Scheduled' : 'Accepted' }, then };
  },

  /** 5.4. */
  ClearCache({ state }) {
    state.cache.clear();
    return { answer: { status: 'Accepted' } };
  },

  /** 5.22: no vendor's messages are known. */
  DataTransfer: () => ({ answer: { status: 'UnknownVendorId' } }),
};

/** False where a session puts it off. */
function setAvailability(socket: Socket, isOperative: boolean): boolean {
  if (isBusy(socket) && !isOperative) {
    socket.scheduledOperative = false;
    return false;
  }
  socket.scheduledOperative = undefined;
  socket.isOperative = isOperative;
  return true;
}
