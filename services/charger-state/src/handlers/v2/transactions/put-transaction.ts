import type { TransactionChange } from '@busbar/domain/sessions';
import type { HandlerContext } from '../../../pipeline/contract';
import type { TransactionSession } from './transaction-session';

/** Stores a session as an event has changed it, and shows it to later messages of the batch. Without `before` it is a new one. */
export function putTransaction(
  session: TransactionSession,
  { before }: { readonly before?: TransactionSession },
  { rows, lookups }: HandlerContext,
): void {
  lookups.put(session);
  if (before === undefined) {
    rows.sessions.push(session);
    return;
  }
  const at = rows.transactions.findIndex((change) => change.session.sessionId === session.sessionId);
  const earlier = rows.transactions[at];
  const change: TransactionChange = {
    session,
    from: earlier?.from ?? {
      revision: before.device.revision,
      ...(before.endedBy === undefined ? {} : { endedBy: before.endedBy }),
    },
    changesState: session.state !== before.state || earlier?.changesState === true,
  };
  if (earlier === undefined) rows.transactions.push(change);
  else rows.transactions[at] = change;
}
