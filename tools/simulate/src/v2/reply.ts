// The table of the service's CALLs of OCPP 2.x: each is obeyed as the action of 1.6 that it corresponds to, where there is one.
import type { V2Action } from '@busbar/ocpp';
import type { Payload, Reply } from '../connection';
import type { ActionHandlers2, Control2 } from './action-handler';
import { certificateActions } from './certificates';
import { controlActions2 } from './control';
import { customerActions } from './customers';
import { deviceModelActions } from './device-model';
import { displayActions } from './displays';
import { fileActions2 } from './files';
import { listActions } from './lists';
import { monitorActions } from './monitors';
import { scheduleActions } from './schedules';
import { sessionActions2 } from './sessions';
import { streamActions } from './streams';

const HANDLERS: ActionHandlers2 = {
  ...certificateActions,
  ...controlActions2,
  ...customerActions,
  ...deviceModelActions,
  ...displayActions,
  ...fileActions2,
  ...listActions,
  ...monitorActions,
  ...scheduleActions,
  ...sessionActions2,
  ...streamActions,
};

/** The actions that a simulated charger of OCPP 2.x obeys. */
export const SUPPORTED_ACTIONS_2: readonly string[] = Object.keys(HANDLERS);

/** Answers a CALL whose payload was validated. */
export function replyTo2(control: Control2, action: string, payload: Payload): Reply {
  const handler = Object.hasOwn(HANDLERS, action) ? HANDLERS[action as V2Action] : undefined;
  if (handler === undefined) return { answer: 'NotSupported' };
  return (handler as unknown as (control: Control2, request: Payload) => Reply)(control, payload);
}
