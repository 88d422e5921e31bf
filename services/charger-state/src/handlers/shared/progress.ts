import { type Progress } from '@busbar/domain/chargers';
import { transferAction, type TransferKind } from '@busbar/domain/commands';
import { isAfter, withReported, type Handler } from '../../pipeline/contract';
import { storeEvent } from './store-event';

export interface ReportedProgress {
  readonly status: string;
  readonly requestId?: number;
}

/** The progress of a command, in any version: stored as an event, and the latest in the record. */
export function progress(part: TransferKind): Handler<ReportedProgress, never> {
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
