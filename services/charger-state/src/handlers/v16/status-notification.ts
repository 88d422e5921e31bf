import type { Charger, ChargingState, ReportedStatus } from '@busbar/domain';
import { settleAvailability } from '../availability';
import { checkTime } from '../clock-check';
import { goOnAt } from '../going-on';
import { isAfter, withReported, type Handler, type HandlerContext } from '../handler';
import { hasRoomFor } from '../room';
import { contentRowId } from '../row-id';
import { stateOf } from './states';

interface StatusNotification {
  readonly connectorId: number;
  readonly status: string;
  readonly errorCode: string;
  readonly timestamp?: string;
  readonly info?: string;
  readonly vendorErrorCode?: string;
}

/**
 * OCPP 1.6 4.9. Connector 0 is the charger's own status; sockets come into being on first sight (rule 50). One that is
 * older than what is stored goes into the history only (rule 51), as does one of a number that no socket can have.
 */
export const statusNotification: Handler<StatusNotification> = {
  apply(charger, report, context) {
    const { payload, receivedAt } = report;
    const time = checkTime(payload.timestamp, receivedAt);
    const { state, unknownWord } = stateOf(payload.status);
    const reportedError = payload.errorCode === 'NoError' ? '' : payload.errorCode;
    const status: ReportedStatus = {
      state,
      errorCode: unknownWord ?? reportedError,
      info: payload.info ?? '',
      vendorErrorCode: payload.vendorErrorCode ?? '',
      at: time.at,
      ...(time.isOwn ? {} : { timedAtReceipt: true as const }),
      position: context.position,
    };
    context.rows.stateChanges.push({
      rowId: contentRowId(report, payload, time.statedMs),
      chargerId: charger.chargerId,
      incarnationId: charger.incarnationId,
      clientId: charger.clientId,
      siteId: charger.registered.siteId,
      socketId: payload.connectorId,
      state,
      errorCode: status.errorCode,
      at: time.at,
      receivedAt,
    });
    if (!hasRoomFor(charger.reported.sockets, payload.connectorId, 0)) {
      return { charger, deviations: [...time.deviations, 'surplus_connector'] };
    }
    const current = currentStatus(charger, payload.connectorId);
    if (current && (!isAfter(context.position, current.position) || isLater(current, status))) {
      return { charger, deviations: time.deviations };
    }
    const shown = afterState(charger, payload.connectorId, state, context);
    const settled = settleAvailability(shown, payload.connectorId, status);
    return { charger: withStatus(settled, payload.connectorId, status), deviations: time.deviations };
  },
};

/** A socket that charges after its start goes on with it. */
function afterState(charger: Charger, connectorId: number, state: ChargingState, context: HandlerContext): Charger {
  const ongoing = charger.reported.ongoing[String(connectorId)];
  if (state !== 'Charging' || ongoing === undefined || !isAfter(context.position, ongoing.position)) return charger;
  return goOnAt(charger, connectorId, context);
}

/** By the charger's own clock alone: those of two gateways may differ by minutes, and then position decides. */
function isLater(a: ReportedStatus, b: ReportedStatus): boolean {
  return a.timedAtReceipt !== true && b.timedAtReceipt !== true && a.at > b.at;
}

function currentStatus(charger: Charger, connectorId: number): ReportedStatus | null | undefined {
  return connectorId === 0 ? charger.reported.status : charger.reported.sockets[String(connectorId)];
}

function withStatus(charger: Charger, connectorId: number, status: ReportedStatus): Charger {
  if (connectorId === 0) return withReported(charger, { status });
  return withReported(charger, { sockets: { ...charger.reported.sockets, [String(connectorId)]: status } });
}
