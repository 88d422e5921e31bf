import type { Charger } from '@busbar/domain/chargers';
import { maskPayload } from '@busbar/ocpp';
import type { HandlerContext, Report } from '../../pipeline/contract';

/**
 * Stores a message that is an event of its own, such as a security event, as it was sent. Returns its payload, secrets masked.
 */
export function storeEvent(
  charger: Charger,
  report: Report<unknown>,
  context: HandlerContext,
): Readonly<Record<string, unknown>> {
  const masked = maskPayload(report.payload);
  const payload = typeof masked === 'object' && masked !== null ? { ...masked } : {};
  context.rows.events.push({
    rowId: report.id,
    chargerId: charger.chargerId,
    incarnationId: charger.incarnationId,
    clientId: charger.clientId,
    action: report.action,
    receivedAt: report.receivedAt,
    payload,
  });
  return payload;
}
