// When the end of a session of OCPP 2.x is announced: once, also where the process died between the row and the record, and once more where a
// late event changes what the end says.
import type { Charger } from '@busbar/domain/chargers';
import { endedData } from '@busbar/domain/feed';
import type { Session } from '@busbar/domain/sessions';
import type { HandlerContext } from '../../../pipeline/contract';
import { isEndUnannounced } from '../../shared/session-events';
import { withStartCounted } from '../../shared/start-budget';
import { putTransaction } from './put-transaction';
import type { TransactionReport } from './read-event';
import { factsOf, type TransactionSession } from './transaction-session';

export interface Changed {
  readonly session: TransactionSession;
  /** Whether its end is announced. */
  readonly ends: boolean;
}

/** As `isEndUnannounced`; also the end of a session whose start the record does not contain: both came in one batch. */
export function isEndStoredAlone(
  charger: Charger,
  session: TransactionSession,
  { receivedAt }: TransactionReport,
): boolean {
  if (isEndUnannounced(charger, session)) return true;
  return session.endedBy === 'charger' && withStartCounted(charger, session, receivedAt) !== charger;
}

/** The session, whose end this report announces in place of the one that stored it. */
export function announceEnd(before: TransactionSession, { id }: TransactionReport, context: HandlerContext): Changed {
  const { device } = before;
  const session = { ...before, stopReportId: id, device: { ...device, revision: device.revision + 1 } };
  putTransaction(session, { before }, context);
  return { session, ends: true };
}

/** A repeated report may find its row stored, and the record not. A record does not show each session, so the row names the report of its end. */
export function unchanged(session: TransactionSession, { id }: TransactionReport): Changed {
  return { session, ends: session.stopReportId === id };
}

/** Whether an event ended the session, or changed what the end says. */
export function isOtherEnd(before: TransactionSession, after: TransactionSession): boolean {
  if (factsOf(after).ended === undefined) return false;
  const isFirst = before.device.facts === undefined || factsOf(before).ended === undefined;
  return isFirst || !hasSameEnd(before, after);
}

function hasSameEnd(before: Session, after: Session): boolean {
  return JSON.stringify(endedData(before, false)) === JSON.stringify(endedData(after, false));
}
