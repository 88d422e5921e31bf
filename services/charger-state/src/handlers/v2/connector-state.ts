// The state of a connector in its charger's record, where it depends on the transaction there (rule 136). The status and the
// transaction are stored apart and joined here, so that it does not matter which of them came first.
import type { ReportEnvelope } from '@busbar/contracts';
import type { Timestamp } from '@busbar/domain';
import type { Charger, ChargingState, ReportedStatus } from '@busbar/domain/chargers';
import { withReported, type HandlerContext } from '../../pipeline/contract';
import type { CheckedTime } from '../shared/clock-check';
import { emitStatus, storeStatus } from '../shared/report-status';
import { contentRowId } from '../shared/row-id';
import { isWithinLimit } from '../shared/row-limit';
import { errorCodeOf, problemsOf, withoutProblemsAhead, withProblemsAhead } from './problems';
import { socketStateOf } from './socket-state';

type JoinedParts = Pick<ReportedStatus, 'occupiedSince' | 'transactionEndedAt'>;

/** The state of a connector whose status is this, and what is stored with it. Undefined: it is not a status of the standard. */
export function stateOfStatus(
  charger: Charger,
  socketId: number,
  { status, at }: { readonly status: string; readonly at: Timestamp },
): { readonly state: ChargingState | undefined; readonly parts: JoinedParts } {
  const { occupiedSince, transactionEndedAt } = charger.reported.sockets[String(socketId)] ?? {};
  const ended = transactionEndedAt === undefined ? {} : { transactionEndedAt };
  if (status !== 'Occupied') {
    return { state: socketStateOf({ status, transaction: undefined, endedSince: false }), parts: ended };
  }
  const parts = { ...ended, occupiedSince: occupiedSince ?? at };
  return { state: joinedState(charger, socketId, parts), parts };
}

interface TransactionTime {
  readonly report: Omit<ReportEnvelope, 'payload'>;
  readonly time: CheckedTime;
  /** Identifies the event of the transaction. */
  readonly content: unknown;
  /** The transaction there has ended. */
  readonly endedAt?: Timestamp | undefined;
  /** The transaction was shown there, and is at another connector. */
  readonly hasLeft?: boolean;
}

/**
 * The record after the transaction of that connector has changed. Without a status, the connector counts as Occupied, for as long as it
 * has the transaction or has had its end.
 */
export function withJoinedState(
  charger: Charger,
  socketId: number,
  change: TransactionTime,
  context: HandlerContext,
): Charger {
  const { sockets } = charger.reported;
  if (!isWithinLimit(sockets, socketId, 1)) return charger;
  const known = sockets[String(socketId)];
  const isEmpty = charger.reported.ongoing[String(socketId)] === undefined && change.endedAt === undefined;
  if (isEmpty && (known === undefined || isLeftEmpty(known, change))) return withoutSocket(charger, socketId);
  const before = isSeen(known) ? known : { ...assumed(change, context), ...problemParts(charger, socketId) };
  const after = afterTransaction(charger, socketId, before, change);
  if (after === known) return charger;
  if (known?.state !== after.state) {
    const { report, time, content } = change;
    const rowId = contentRowId(report, { socketId, content }, time.statedMs);
    storeStatus(charger, { rowId, socketId, status: after, at: time.at, receivedAt: report.receivedAt }, context);
    emitStatus(context, 'socket.state_changed', { socketId, status: after, current: known, statedMs: time.statedMs });
  }
  const shown = withReported(charger, { sockets: { ...sockets, [String(socketId)]: after } });
  return withoutProblemsAhead(shown, socketId);
}

/** The same status where the transaction changes nothing. */
function afterTransaction(
  charger: Charger,
  socketId: number,
  before: ReportedStatus,
  { endedAt, time: { at } }: TransactionTime,
): ReportedStatus {
  const current = withEnd(before, endedAt);
  const state = current.occupiedSince === undefined ? current.state : joinedState(charger, socketId, current);
  return state === current.state ? current : { ...current, state, at: current.at > at ? current.at : at };
}

/** Nobody had reported the connector: a transaction was assumed there, and has named another one. */
function isLeftEmpty({ isAssumed, transactionEndedAt }: ReportedStatus, { hasLeft }: TransactionTime): boolean {
  return isAssumed === true && transactionEndedAt === undefined && hasLeft === true;
}

function withoutSocket(charger: Charger, socketId: number): Charger {
  const { [String(socketId)]: gone, ...sockets } = charger.reported.sockets;
  return gone === undefined ? charger : withProblemsAhead(withReported(charger, { sockets }), socketId, gone.problems);
}

/** A socket of a report alone has no status. */
function isSeen(status: ReportedStatus | undefined): status is ReportedStatus {
  return status !== undefined && (status.isAssumed !== true || status.occupiedSince !== undefined);
}

function problemParts(charger: Charger, socketId: number): Partial<Pick<ReportedStatus, 'problems' | 'errorCode'>> {
  const problems = problemsOf(charger, socketId);
  return problems === undefined ? {} : { problems, errorCode: errorCodeOf(problems) };
}

function joinedState(
  charger: Charger,
  socketId: number,
  { occupiedSince, transactionEndedAt }: JoinedParts,
): ChargingState {
  const device = charger.reported.ongoing[String(socketId)]?.device;
  const transaction = device && { chargingState: device.chargingState ?? undefined, wasEnergized: device.wasEnergized };
  const endedSince =
    occupiedSince !== undefined && transactionEndedAt !== undefined && transactionEndedAt >= occupiedSince;
  return socketStateOf({ status: 'Occupied', transaction, endedSince }) ?? 'Preparing';
}

function assumed({ time: { at } }: TransactionTime, { position }: HandlerContext): ReportedStatus {
  return {
    state: 'Preparing',
    errorCode: '',
    info: '',
    vendorErrorCode: '',
    at,
    position,
    occupiedSince: at,
    isAssumed: true,
  };
}

function withEnd(status: ReportedStatus, endedAt: Timestamp | undefined): ReportedStatus {
  const { transactionEndedAt } = status;
  if (endedAt === undefined || (transactionEndedAt !== undefined && transactionEndedAt >= endedAt)) return status;
  return { ...status, transactionEndedAt: endedAt };
}
