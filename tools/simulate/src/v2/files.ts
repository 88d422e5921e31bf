// UpdateFirmware and GetLog of OCPP 2.x.
import { fileActions } from '../actions/files';
import type { ActionHandlers2 } from './action-handler';

export const fileActions2: ActionHandlers2 = {
  /** OCPP 2.0.1, L01. */
  UpdateFirmware(control, { requestId, firmware: { location, retrieveDateTime } }) {
    control.translation.updatesFirmware(requestId);
    const reply = fileActions.UpdateFirmware?.(control, { location, retrieveDate: retrieveDateTime });
    return { answer: { status: 'Accepted' }, then: reply?.then };
  },

  /** N01. */
  GetLog(control, { log: { remoteLocation }, logType, requestId }) {
    const type = logType === 'SecurityLog' ? ('SecurityLog' as const) : ('DiagnosticsLog' as const);
    const reply = fileActions.GetLog?.(control, { log: { remoteLocation }, logType: type, requestId });
    const filename = reply?.answer.filename;
    return {
      answer: { status: 'Accepted', ...(filename === undefined ? {} : { filename }) },
      then: reply?.then,
    };
  },
};
