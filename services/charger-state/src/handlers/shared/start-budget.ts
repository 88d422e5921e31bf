// How many transactions a charger, and all of a client's, may begin in a day: each takes a transaction id, of which all clients
// together have 2^31.
import type { Timestamp } from '@busbar/domain';
import type { Charger, StartCount } from '@busbar/domain/chargers';
import type { Session } from '@busbar/domain/sessions';
import { withReported } from '../../pipeline/contract';

/** Whether it has used up its day's starts; `mostPerDay` 0: it may begin any number. */
export function isOverStartLimit(charger: Charger, receivedAt: Timestamp, maxPerDay: number): boolean {
  const { starts } = charger.reported;
  return maxPerDay > 0 && starts?.day === dayOf(receivedAt) && starts.count >= maxPerDay;
}

/**
 * With a session's start counted, once: transaction ids are given in ascending order, so one that is sent again, or applied
 * again from what is stored, is known by its id.
 */
export function withStartCounted(charger: Charger, { transactionId }: Session, receivedAt: Timestamp): Charger {
  const starts = countOn(charger, receivedAt);
  if (transactionId <= starts.lastTransactionId) return charger;
  return withReported(charger, { starts: { ...starts, count: starts.count + 1, lastTransactionId: transactionId } });
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
