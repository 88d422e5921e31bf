// Checks whether a charger's connection may be closed without disturbing anything.
import type { Connection } from './connection';

/** A CALL is in flight, in either direction. */
export function hasCallInFlight({ closed, answers, calls }: Connection): boolean {
  return !closed && (answers.length > 0 || calls.pending() !== undefined);
}

/** No transaction and no CALL. A charger whose transactions are unknown counts as one in a transaction. */
export function isIdle(connection: Connection): boolean {
  const { closed, end, transactions } = connection;
  return !closed && end === undefined && transactions?.size === 0 && !hasCallInFlight(connection);
}

/** A charger has one for each connector: more means that it does not stop them. */
const MAX_TRANSACTIONS = 256;

/** Follows the charger's transactions by its answered CALLs. */
export function trackTransactions(
  { protocol, transactions }: Connection,
  call: { readonly action: string; readonly payload: unknown },
  answer: Readonly<Record<string, unknown>>,
): void {
  const change = transactions && protocol.transactionChangeOf(call, answer);
  if (change === undefined) return;
  if (change.kind === 'ended') transactions?.delete(change.transactionId);
  else if (transactions !== undefined && transactions.size < MAX_TRANSACTIONS) transactions.add(change.transactionId);
}
