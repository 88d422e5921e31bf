// The table of the service's CALLs: which part of the charger answers each.
import type { V16Action } from '@busbar/ocpp';
import type { ChargerControl } from '../charger/control';
import type { Payload, Reply } from '../connection';
import type { ActionHandlers } from './action-handler';
import { chargingProfileActions } from './charging-profiles';
import { configurationActions } from './configuration';
import { controlActions } from './control';
import { fileActions } from './files';
import { localListActions } from './local-list';
import { reservationActions } from './reservations';
import { sessionActions } from './sessions';
import { triggerActions } from './trigger';

const HANDLERS: ActionHandlers = {
  ...chargingProfileActions,
  ...configurationActions,
  ...controlActions,
  ...fileActions,
  ...localListActions,
  ...reservationActions,
  ...sessionActions,
  ...triggerActions,
};

/** The actions that a simulated charger obeys. */
export const SUPPORTED_ACTIONS: readonly string[] = Object.keys(HANDLERS);

/** Answers a CALL whose payload was validated. */
export function replyTo(control: ChargerControl, action: string, payload: Payload): Reply {
  const handler = Object.hasOwn(HANDLERS, action) ? HANDLERS[action as V16Action] : undefined;
  if (handler === undefined) return { answer: 'NotSupported' };
  return (handler as (control: ChargerControl, request: Payload) => Reply)(control, payload);
}
