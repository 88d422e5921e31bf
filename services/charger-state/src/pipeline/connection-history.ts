// The rows of a charger's history of connections, from the events of its sockets. They follow the rules of
// `activeConnection`: the newest order is open, a dead gateway has no open connection.
import type { ConnectionEvent, ReportEnvelope } from '@busbar/contracts';
import { UNREPORTED_ENDS, type Charger, type ConnectionRecord } from '@busbar/domain/chargers';
import type { ReportRows } from '@busbar/domain/reports';

/**
 * Appends the row of a connection event, and the end of the connection that it replaces. `before` and `after`: the record
 * before and after its fold.
 */
export function addConnectionRows(
  rows: Pick<ReportRows, 'connections' | 'replacedConnections'>,
  report: ReportEnvelope,
  { before, after }: { readonly before: Charger; readonly after: Charger },
  isDeadGateway: (gatewayId: string) => boolean,
): void {
  const event = report.payload as ConnectionEvent | null;
  // A gateway of an earlier version sends none.
  if (event === null) return;
  const isOpening = report.kind === 'connected';
  const reason = isOpening ? endBeforeReport(report, after, isDeadGateway) : event.closeReason;
  const hasEnded = !isOpening || reason !== null;
  rows.connections.push({
    ...rowOf(report, event),
    disconnectedAt: hasEnded ? report.receivedAt : null,
    closeReason: reason,
  });
  const { active, connectionId } = before.connection;
  if (isOpening && active && connectionId !== null && after.connection.connectionId !== connectionId) {
    rows.replacedConnections.push({ connectionId, at: report.receivedAt });
  }
}

/** Returns why a connection is not open any more when its opening is reported. */
function endBeforeReport(
  { order, gatewayId }: ReportEnvelope,
  after: Charger,
  isDeadGateway: (gatewayId: string) => boolean,
): string | null {
  if (order < after.connection.position[0]) return UNREPORTED_ENDS.replaced;
  return isDeadGateway(gatewayId) ? UNREPORTED_ENDS.gateway_lost : null;
}

function rowOf(
  { chargerId, incarnationId, connectionId, gatewayId, ocppVersion, seq }: ReportEnvelope,
  { connectedAt, remoteAddress, securityProfile, closeCode }: ConnectionEvent,
): Omit<ConnectionRecord, 'disconnectedAt' | 'closeReason'> {
  const facts = { connectedAt, remoteAddress, securityProfile, closeCode };
  return { connectionId, chargerId, incarnationId, seq, gatewayId, ocppVersion, ...facts };
}
