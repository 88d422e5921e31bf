// Limits the transactions that a charger, and all chargers of a client, may begin in a day. Each takes one of 2^31 transaction
// ids, which all clients share.
import type { Timestamp } from '@busbar/domain';
import type { Charger, StartCount } from '@busbar/domain/chargers';
import type { Session } from '@busbar/domain/sessions';
import { withReported } from '../../pipeline/contract';

/** Returns whether the charger has reached its limit of the day; `maxPerDay` 0: no limit. */
export function isOverStartLimit(charger: Charger, receivedAt: Timestamp, maxPerDay: number): boolean {
  const { starts } = charger.reported;
  return maxPerDay > 0 && starts?.day === dayOf(receivedAt) && starts.count >= maxPerDay;
}

/** Counts the start of a session, once: transaction ids ascend, so a repeated start is known by its id. */
export function withStartCounted(charger: Charger, { transactionId }: Session, receivedAt: Timestamp): Charger {
  const starts = countOn(charger, receivedAt);
  if (transactionId <= starts.lastTransactionId) return charger;
  return withReported(charger, { starts: { ...starts, count: starts.count + 1, lastTransactionId: transactionId } });
}

/** The record shows a session whose start it does not contain, so that a late start makes no second event. */
export function withStartSeen(charger: Charger, { transactionId }: Session, receivedAt: Timestamp): Charger {
  const starts = countOn(charger, receivedAt);
  if (transactionId <= starts.lastTransactionId) return charger;
  return withReported(charger, { starts: { ...starts, lastTransactionId: transactionId } });
}

export function withStartRefused(charger: Charger, receivedAt: Timestamp): Charger {
  const starts = countOn(charger, receivedAt);
  return withReported(charger, { starts: { ...starts, refused: starts.refused + 1 } });
}

function countOn({ reported: { starts } }: Charger, receivedAt: Timestamp): StartCount {
  const day = dayOf(receivedAt);
  if (starts?.day === day) return starts;
  return { day, count: 0, refused: 0, lastTransactionId: starts?.lastTransactionId ?? 0 };
}

/** The day (UTC) that a start counts for. */
export function dayOf(at: Timestamp): string {
  return at.slice(0, 10);
}
