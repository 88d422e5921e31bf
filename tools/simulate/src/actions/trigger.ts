// TriggerMessage, and the ExtendedTriggerMessage of the security whitepaper.
import type { ChargerControl } from '../charger/control';
import { socketOf } from '../charger/charger-state';
import type { ActionHandlers } from './action-handler';

type Send = (control: ChargerControl, sockets: readonly number[]) => void;

const MESSAGES: Readonly<Record<string, Send>> = {
  BootNotification: ({ boot }) => void boot(),
  DiagnosticsStatusNotification: ({ notify, state }) =>
    void notify('DiagnosticsStatusNotification', { status: state.diagnostics }),
  FirmwareStatusNotification: ({ notify, state }) =>
    void notify('FirmwareStatusNotification', { status: state.firmware.status }),
  Heartbeat: ({ notify }) => void notify('Heartbeat', {}),
  LogStatusNotification: ({ notify }) => void notify('LogStatusNotification', { status: 'Idle' }),
  MeterValues: (control, sockets) => {
    for (const id of sockets) if (id > 0) control.sendReading(id);
  },
  StatusNotification: (control, sockets) => control.reportStatuses(sockets),
};

export const triggerActions: ActionHandlers = {
  /** OCPP 1.6, 5.17: without a connector, of the charger and all its connectors. */
  TriggerMessage: triggered,
  ExtendedTriggerMessage: triggered,
};

function triggered(
  control: ChargerControl,
  { requestedMessage, connectorId }: { readonly requestedMessage: string; readonly connectorId?: number },
) {
  const send = Object.hasOwn(MESSAGES, requestedMessage) ? MESSAGES[requestedMessage] : undefined;
  if (send === undefined) return { answer: { status: 'NotImplemented' } };
  const { state } = control;
  const isUnknown = connectorId !== undefined && connectorId !== 0 && socketOf(state, connectorId) === undefined;
  if (isUnknown) return { answer: { status: 'Rejected' } };
  const sockets = connectorId === undefined ? [0, ...state.sockets.map(({ id }) => id)] : [connectorId];
  return { answer: { status: 'Accepted' }, then: () => send(control, sockets) };
}
