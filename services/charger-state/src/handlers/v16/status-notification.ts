import type { Timestamp } from '@busbar/domain';
import type { Charger, ReportedStatus } from '@busbar/domain/chargers';
import type { OngoingTransaction } from '@busbar/domain/sessions';
import { resolveAvailability } from '../shared/availability';
import { hasBootedSince, isSetBackSince } from '../boots';
import { chargingAt } from '../shared/charging-despite-refusal';
import { checkTime } from '../shared/clock-check';
import { isAfter, withReported, type Handler, type HandlerContext } from '../handler';
import { isWithinLimit } from '../shared/row-limit';
import { contentRowId } from '../shared/row-id';
import { releaseTagAt } from '../shared/release-tag';
import { stateOf } from './states';

interface StatusNotification {
  readonly connectorId: number;
  readonly status: string;
  readonly errorCode: string;
  readonly timestamp?: string;
  readonly info?: string;
  readonly vendorErrorCode?: string;
}

/** An own timestamp further than this behind a later receipt is old; gateways' clocks differ by less. */
const BEHIND_RECEIPT_MS = 120_000;

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
      ...(time.isOwn ? { ownAt: time.at } : {}),
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
    if (!isWithinLimit(charger.reported.sockets, payload.connectorId, 0)) {
      return { charger, deviations: [...time.deviations, 'surplus_connector'] };
    }
    const current = currentStatus(charger, payload.connectorId);
    if (current && (!isAfter(context.position, current.position) || isOlder(charger, status, current))) {
      return { charger, deviations: time.deviations };
    }
    const shown = afterState(charger, payload.connectorId, { status, current, receivedAt }, context);
    const settled = resolveAvailability(shown, payload.connectorId, status);
    return {
      charger: withStatus(settled, payload.connectorId, notBefore(current, status)),
      deviations: time.deviations,
    };
  },
};

interface SocketChange {
  readonly status: ReportedStatus;
  readonly current: ReportedStatus | null | undefined;
  readonly receivedAt: Timestamp;
}

/** What a status that comes after a start says of it: the socket charges, or it is free again. */
function afterState(charger: Charger, connectorId: number, change: SocketChange, context: HandlerContext): Charger {
  const ongoing = charger.reported.ongoing[String(connectorId)];
  if (ongoing === undefined || !isAfter(context.position, ongoing.position)) return charger;
  if (change.status.state === 'Charging') return chargingAt(charger, connectorId, context);
  return isFree(charger, ongoing, change) ? releaseTagAt(charger, ongoing, context) : charger;
}

/** Available; or Preparing where that cannot be of the same driver, who has charged or lost the power since the start. */
function isFree(charger: Charger, ongoing: OngoingTransaction, { status, current, receivedAt }: SocketChange): boolean {
  const { startTime, position } = ongoing;
  const hasBooted = hasBootedSince(charger, position);
  if (!hasBooted && status.ownAt !== undefined && status.ownAt < startTime) {
    if (!isSetBackSince(charger, startTime, { ...status, ownAt: status.ownAt }, receivedAt)) return false;
  }
  if (status.state !== 'Preparing') return status.state === 'Available';
  const hasRun = current != null && current.state !== 'Preparing' && isAfter(current.position, position);
  return hasRun || hasBooted;
}

/** One without a timestamp of its own, or after a boot, is current by its position. */
function isOlder(charger: Charger, { ownAt }: ReportedStatus, current: ReportedStatus): boolean {
  if (ownAt === undefined || hasBootedSince(charger, current.position)) return false;
  // Not by `at`, which may still be of a clock from before a boot.
  if (current.ownAt !== undefined) return ownAt < current.ownAt;
  return Date.parse(ownAt) < Date.parse(current.at) - BEHIND_RECEIPT_MS;
}

/** The socket's time never goes back, whichever clock the status before was timed by. */
function notBefore(current: ReportedStatus | null | undefined, status: ReportedStatus): ReportedStatus {
  return current && current.at > status.at ? { ...status, at: current.at } : status;
}

function currentStatus(charger: Charger, connectorId: number): ReportedStatus | null | undefined {
  return connectorId === 0 ? charger.reported.status : charger.reported.sockets[String(connectorId)];
}

function withStatus(charger: Charger, connectorId: number, status: ReportedStatus): Charger {
  if (connectorId === 0) return withReported(charger, { status });
  return withReported(charger, { sockets: { ...charger.reported.sockets, [String(connectorId)]: status } });
}
