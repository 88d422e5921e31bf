// What a status of a connector changes, of any version of OCPP: the history always, the socket where it is new (rules 50 and 51).
import type { ReportEnvelope } from '@busbar/contracts';
import type { Timestamp } from '@busbar/domain';
import type { Charger, ChargingState, ReportedStatus } from '@busbar/domain/chargers';
import type { OngoingTransaction } from '@busbar/domain/sessions';
import type { Handled } from '../../pipeline/contract';
import { isAfter, withReported, type HandlerContext } from '../../pipeline/contract';
import { resolveAvailability } from './availability';
import { hasBootedSince, isSetBackSince } from './boots';
import { chargingAt } from './charging-despite-refusal';
import { checkTime, deviceTimeOf } from './clock-check';
import { releaseTagAt } from './release-tag';
import { contentRowId } from './row-id';
import { isWithinLimit } from './row-limit';

export interface StatusFacts {
  /** 0: the charger itself. */
  readonly socketId: number;
  readonly state: ChargingState;
  /** '' for none. */
  readonly errorCode: string;
  readonly info: string;
  readonly vendorErrorCode: string;
  /** The charger's own time as it wrote it. */
  readonly timestamp: string | undefined;
  /** Equal for the same status that is sent again: with the time it is the key of the row. */
  readonly content: unknown;
  /** Stored with the status. */
  readonly parts?: Pick<ReportedStatus, 'occupiedSince' | 'transactionEndedAt' | 'problems'>;
}

/** A charger's timestamp is old when it is earlier than a previous receipt by more than this. Gateways' clocks differ by less. */
const BEHIND_RECEIPT_MS = 120_000;

/**
 * Stores a status. Connector 0 is the charger's own; the first status of another one creates its socket (rule 50). An old status is stored
 * in the history only (rule 51), and so is that of a connector beyond the limit.
 */
export function reportStatus(
  charger: Charger,
  report: Omit<ReportEnvelope, 'payload'>,
  context: HandlerContext,
  facts: StatusFacts,
): Pick<Handled, 'charger' | 'deviations'> {
  const { receivedAt } = report;
  const { socketId, state, errorCode, info, vendorErrorCode } = facts;
  const time = checkTime(facts.timestamp, receivedAt);
  const status: ReportedStatus = {
    state,
    errorCode,
    info,
    vendorErrorCode,
    at: time.at,
    ...(time.isOwn ? { ownAt: time.at } : {}),
    position: context.position,
    ...facts.parts,
  };
  const { at } = time;
  storeStatus(
    charger,
    { rowId: contentRowId(report, facts.content, time.statedMs), socketId, status, at, receivedAt },
    context,
  );
  const current = currentStatus(charger, socketId);
  const reported = { socketId, status, current, statedMs: time.statedMs };
  if (!isWithinLimit(charger.reported.sockets, socketId, 0)) {
    emitStatus(context, 'socket.state_reported', reported);
    return { charger, deviations: [...time.deviations, 'surplus_connector'] };
  }
  // A status replaces what was assumed without one.
  const earlier = current?.isAssumed === true ? undefined : current;
  // One message of OCPP 2.x may have several statuses of a socket: among these their time decides (rule 134).
  if (earlier && (isAfter(earlier.position, context.position) || isOlder(charger, status, earlier))) {
    emitStatus(context, 'socket.state_reported', reported);
    return { charger, deviations: time.deviations };
  }
  emitStatus(context, isSame(current, status) ? 'socket.state_reported' : 'socket.state_changed', reported);
  const shown = afterState(charger, socketId, { status, current, receivedAt }, context);
  const resolved = resolveAvailability(shown, socketId, status);
  return { charger: withStatus(resolved, socketId, notBefore(earlier, status)), deviations: time.deviations };
}

interface StatusRow {
  readonly rowId: string;
  readonly socketId: number;
  readonly status: Pick<ReportedStatus, 'state' | 'errorCode'>;
  readonly at: Timestamp;
  readonly receivedAt: Timestamp;
}

/** A row of the history. */
export function storeStatus(
  { chargerId, incarnationId, clientId, registered: { siteId } }: Charger,
  { rowId, socketId, status: { state, errorCode }, at, receivedAt }: StatusRow,
  { rows }: Pick<HandlerContext, 'rows'>,
): void {
  rows.stateChanges.push({
    rowId,
    chargerId,
    incarnationId,
    clientId,
    siteId,
    socketId,
    state,
    errorCode,
    at,
    receivedAt,
  });
}

interface Reported {
  readonly socketId: number;
  readonly status: Pick<ReportedStatus, 'state' | 'errorCode' | 'vendorErrorCode' | 'info'>;
  /** Before. */
  readonly current: Pick<ReportedStatus, 'state'> | null | undefined;
  readonly statedMs: number | undefined;
}

function isSame(current: ReportedStatus | null | undefined, { state, errorCode }: ReportedStatus): boolean {
  return current?.state === state && current.errorCode === errorCode;
}

/** The event of a status. */
export function emitStatus(
  { events }: Pick<HandlerContext, 'events'>,
  type: 'socket.state_changed' | 'socket.state_reported',
  { socketId, status, current, statedMs }: Reported,
): void {
  const { state, errorCode, vendorErrorCode, info } = status;
  const previousState = current?.state ?? null;
  const deviceTime = deviceTimeOf(statedMs);
  events.emit(type, { socketId, state, previousState, errorCode, vendorErrorCode, info, deviceTime });
}

interface SocketChange {
  readonly status: ReportedStatus;
  readonly current: ReportedStatus | null | undefined;
  readonly receivedAt: Timestamp;
}

/** A status after a start shows that the session charges, or that the socket is free again. */
function afterState(charger: Charger, connectorId: number, change: SocketChange, context: HandlerContext): Charger {
  const ongoing = charger.reported.ongoing[String(connectorId)];
  if (ongoing === undefined || !isAfter(context.position, ongoing.position)) return charger;
  if (change.status.state === 'Charging') return chargingAt(charger, connectorId, context);
  return isFree(charger, ongoing, change) ? releaseTagAt(charger, ongoing, context) : charger;
}

/** Available; or Preparing after the driver has charged or the charger has booted, since that is another driver. */
function isFree(charger: Charger, ongoing: OngoingTransaction, { status, current, receivedAt }: SocketChange): boolean {
  const { startTime, position } = ongoing;
  // Where the status is redelivered, the record may have a boot that came later.
  const hasBooted = hasBootedSince(charger, position) && !hasBootedSince(charger, status.position);
  if (!hasBooted && status.ownAt !== undefined && status.ownAt < startTime) {
    if (!isSetBackSince(charger, startTime, { ...status, ownAt: status.ownAt }, receivedAt)) return false;
  }
  if (status.state !== 'Preparing') return status.state === 'Available';
  const hasRun = current != null && current.state !== 'Preparing' && isAfter(current.position, position);
  return hasRun || hasBooted;
}

/** Without a timestamp of the charger, or after a boot, the position decides. */
function isOlder(charger: Charger, { ownAt }: ReportedStatus, current: ReportedStatus): boolean {
  if (ownAt === undefined || hasBootedSince(charger, current.position)) return false;
  // `at` may be of the clock before a boot.
  if (current.ownAt !== undefined) return ownAt < current.ownAt;
  return Date.parse(ownAt) < Date.parse(current.at) - BEHIND_RECEIPT_MS;
}

/** The socket's time never goes back, also when the clock was changed. */
function notBefore(current: ReportedStatus | null | undefined, status: ReportedStatus): ReportedStatus {
  return current && current.at > status.at ? { ...status, at: current.at } : status;
}

/** The status of a socket; of the charger itself for 0. */
export function currentStatus(charger: Charger, connectorId: number): ReportedStatus | null | undefined {
  return connectorId === 0 ? charger.reported.status : charger.reported.sockets[String(connectorId)];
}

/** The record with this status of a socket, or of the charger itself. */
export function withStatus(charger: Charger, connectorId: number, status: ReportedStatus): Charger {
  if (connectorId === 0) return withReported(charger, { status });
  return withReported(charger, { sockets: { ...charger.reported.sockets, [String(connectorId)]: status } });
}
