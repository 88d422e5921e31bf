import type { Charger } from '@busbar/domain/chargers';
import { maskPayload } from '@busbar/ocpp';
import type { HandlerContext, Report } from '../../pipeline/contract';

/** One of several events of a message of OCPP 2.x. */
interface EventPart {
  /** Its number in the message, from 0. */
  readonly at: number;
  readonly component: string;
  readonly severity: number | undefined;
}

/**
 * Stores a message that is an event of its own, such as a security event, as it was sent. Returns its payload, secrets masked.
 */
export function storeEvent(
  charger: Charger,
  report: Report<unknown>,
  context: HandlerContext,
  part?: EventPart,
): Readonly<Record<string, unknown>> {
  const masked = maskPayload(report.payload);
  const payload = typeof masked === 'object' && masked !== null ? { ...masked } : {};
  context.rows.events.push({
    rowId: part === undefined || part.at === 0 ? report.id : `${report.id}.${String(part.at).padStart(4, '0')}`,
    chargerId: charger.chargerId,
    incarnationId: charger.incarnationId,
    clientId: charger.clientId,
    action: report.action,
    receivedAt: report.receivedAt,
    payload,
    ...(part === undefined ? {} : { component: part.component.toLowerCase() }),
    ...(part?.severity === undefined ? {} : { severity: part.severity }),
  });
  return payload;
}
