import { type Progress } from '@busbar/domain/chargers';
import { transferAction, type TransferKind } from '@busbar/domain/commands';
import { isAfter, withReported } from '../../pipeline/contract';
import { storeEvent } from '../shared/store-event';
import type { CallHandler } from './route';

/** The progress of a command: stored as an event, and the latest in the record. */
function progress(part: TransferKind): CallHandler<'LogStatusNotification'> {
  return {
    apply(charger, report, context) {
      storeEvent(charger, { ...report, action: transferAction(part, 'progressed') }, context);
      const { status, requestId } = report.payload;
      const type = part === 'firmware' ? 'charger.firmware_status' : 'charger.diagnostics_status';
      context.events.emit(type, { status, requestId: requestId ?? null, deviceTime: null });
      const before = charger.reported[part];
      if (before !== null && !isAfter(context.position, before.position)) return { charger };
      const request = requestId === undefined ? {} : { requestId };
      const now: Progress = { status, ...request, at: report.receivedAt, position: context.position };
      return { charger: withReported(charger, { [part]: now }) };
    },
  };
}

/** OCPP 1.6 4.5, and SignedFirmwareStatusNotification of the security whitepaper. */
export const firmwareStatusNotification = progress('firmware');
/** OCPP 1.6 4.4 */
export const diagnosticsStatusNotification = progress('diagnostics');
/** OCPP 1.6 security whitepaper, 5.5 */
export const logStatusNotification = progress('log');
