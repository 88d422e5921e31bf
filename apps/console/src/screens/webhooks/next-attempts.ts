// Which of the attempts shown may be followed by another one. Pure.
import type { Schemas } from '../../api/client';

type Attempt = Pick<Schemas['Delivery'], 'id' | 'eventId' | 'nextAttemptAt'>;

/**
 * The ids of the attempts that say when the next one is, and are the newest of their event: an attempt keeps its `nextAttemptAt` when the
 * event was tried again, also at once. Whether that time is still to come is asked where it is shown. `attempts`: the newest first.
 */
export function withNextAttempt(attempts: readonly Attempt[]): ReadonlySet<string> {
  const newest = new Map<string, Attempt>();
  for (const attempt of attempts) if (!newest.has(attempt.eventId)) newest.set(attempt.eventId, attempt);
  return new Set([...newest.values()].filter(({ nextAttemptAt }) => nextAttemptAt !== null).map(({ id }) => id));
}
