import type { OngoingTransaction } from '@busbar/domain/sessions';
import type { HandlerContext } from '../../pipeline/contract';
import { emitGivenUp } from './session-events';

/** Gives up a session that the record shows, since its stop was lost: row and event. One that was refused stays refused, without either. */
export function supersedeOngoing(
  { sessionId, refused }: Pick<OngoingTransaction, 'sessionId' | 'refused'>,
  { rows, lookups, events }: HandlerContext,
): void {
  if (refused === true) return;
  rows.superseded.push(sessionId);
  const known = lookups.session(sessionId);
  if (known === undefined) return;
  if (known.state === 'ongoing') {
    lookups.put({ ...known, state: 'superseded' });
    // A row that an event of the batch replaces is replaced as a whole.
    const at = rows.transactions.findIndex(({ session }) => session.sessionId === sessionId);
    const change = rows.transactions[at];
    if (change !== undefined) {
      rows.transactions[at] = { ...change, session: { ...change.session, state: 'superseded' }, changesState: true };
    }
  }
  // Also where the row was stored before, and the record was not; and where its operator ended it and has not removed it from the record
  // yet, which would have announced the end.
  emitGivenUp(events, known);
}
