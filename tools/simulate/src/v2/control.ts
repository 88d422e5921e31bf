// Reset, ChangeAvailability, TriggerMessage, ClearCache, SetNetworkProfile and DataTransfer of OCPP 2.x.
import { controlActions } from '../actions/control';
import { triggerActions } from '../actions/trigger';
import { isBusy, socketOf } from '../charger/charger-state';
import type { ActionHandlers2, Control2 } from './action-handler';
import { requestCertificate } from './certificates';

/** A reset that waits for the sessions to end. */
const IDLE_CHECK_MS = 1_000;
const MAX_NETWORK_PROFILES = 10;

export const controlActions2: ActionHandlers2 = {
  /** OCPP 2.0.1, B11 and B12. A single EVSE is never reset, and no transaction continues after a reset. */
  Reset(control, { type, evseId }) {
    if (evseId !== undefined || type === 'ImmediateAndResume') return { answer: { status: 'Rejected' } };
    if (type === 'Immediate') {
      return { answer: { status: 'Accepted' }, then: () => reset(control, 'RemoteReset') };
    }
    const isIdle = !control.state.sockets.some(isBusy);
    return { answer: { status: isIdle ? 'Accepted' : 'Scheduled' }, then: () => resetWhenIdle(control, isIdle) };
  },

  /** G03 and G04: of an EVSE, its connector, or the charging station. */
  ChangeAvailability(control, { evse, operationalStatus }) {
    const isUnknown = evse !== undefined && (evse.id < 1 || (evse.connectorId ?? 1) !== 1);
    const type = operationalStatus === 'Operative' ? 'Operative' : 'Inoperative';
    const reply = isUnknown
      ? undefined
      : controlActions.ChangeAvailability?.(control, { connectorId: evse?.id ?? 0, type });
    return { answer: { status: reply?.answer.status ?? 'Rejected' }, then: reply?.then };
  },

  /** F06. */
  TriggerMessage(control, { requestedMessage, evse }) {
    const { translation, state } = control;
    const sockets = evse === undefined ? state.sockets : state.sockets.filter(({ id }) => id === evse.id);
    if (sockets.length === 0) return { answer: { status: 'Rejected' } };
    const ids = sockets.map(({ id }) => id);
    if (requestedMessage === 'TransactionEvent') return triggerEvents(control, ids);
    if (requestedMessage === 'SignChargingStationCertificate') {
      return { answer: { status: 'Accepted' }, then: () => requestCertificate(control) };
    }
    if (requestedMessage === 'BootNotification') translation.bootsBecause('Triggered');
    if (requestedMessage === 'StatusNotification') translation.repeatStatuses(ids);
    const request = { requestedMessage: requestedMessage as 'Heartbeat', ...(evse && { connectorId: evse.id }) };
    const reply = triggerActions.ExtendedTriggerMessage?.(control, request);
    return { answer: { status: reply?.answer.status ?? 'NotImplemented' }, then: reply?.then };
  },

  /** C11. */
  ClearCache({ state }) {
    state.cache.clear();
    return { answer: { status: 'Accepted' } };
  },

  /** B09: a profile for its slot. None is used. */
  SetNetworkProfile({ state: { networkProfiles } }, { configurationSlot: slot, connectionData }) {
    const isFull = networkProfiles.size >= MAX_NETWORK_PROFILES && !networkProfiles.has(slot);
    if (isFull || slot < 0 || connectionData.ocppTransport !== 'JSON') return { answer: { status: 'Rejected' } };
    networkProfiles.set(slot, connectionData);
    return { answer: { status: 'Accepted' } };
  },

  /** P01: no vendor's messages are known. */
  DataTransfer: () => ({ answer: { status: 'UnknownVendorId' } }),
};

/** Rejected where none of these sockets has a transaction. */
function triggerEvents({ translation, state, sessions }: Control2, ids: readonly number[]) {
  const triggered = ids.filter((id) => translation.transactions.atSocket(id) !== undefined);
  if (triggered.length === 0) return { answer: { status: 'Rejected' } };
  const then = (): void => {
    for (const id of triggered) {
      const [socket, transaction] = [socketOf(state, id), translation.transactions.atSocket(id)];
      if (socket === undefined || transaction === undefined) continue;
      transaction.isTriggered = true;
      sessions.report(socket);
    }
  };
  return { answer: { status: 'Accepted' }, then };
}

async function reset(control: Control2, reason: 'RemoteReset' | 'ScheduledReset'): Promise<void> {
  control.translation.bootsBecause(reason);
  await control.reset('HardReset');
}

/** As an operator expects of OnIdle: the sessions in progress end by themselves. */
function resetWhenIdle(control: Control2, isIdle: boolean): void | Promise<void> {
  if (isIdle) return reset(control, 'RemoteReset');
  control.clock.after(IDLE_CHECK_MS, () => {
    const isIdleNow = !control.state.sockets.some(isBusy);
    void (isIdleNow ? reset(control, 'ScheduledReset') : resetWhenIdle(control, false));
  });
}
