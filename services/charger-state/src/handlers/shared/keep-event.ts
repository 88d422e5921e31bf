import type { Charger } from '@busbar/domain/chargers';
import { maskPayload } from '@busbar/ocpp';
import type { HandlerContext, Report } from '../../pipeline/contract';

/** Keeps a message that is a fact by itself, such as a security event, as it was sent. */
export function keepEvent(charger: Charger, report: Report<unknown>, context: HandlerContext): void {
  const payload = maskPayload(report.payload);
  context.rows.events.push({
    rowId: report.id,
    chargerId: charger.chargerId,
    incarnationId: charger.incarnationId,
    clientId: charger.clientId,
    action: report.action,
    receivedAt: report.receivedAt,
    payload: typeof payload === 'object' && payload !== null ? { ...payload } : {},
  });
}
