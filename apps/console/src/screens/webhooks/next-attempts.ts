// Which of the attempts shown are followed by another one. Pure.
import type { Schemas } from '../../api/client';

type Attempt = Pick<Schemas['Delivery'], 'id' | 'eventId' | 'nextAttemptAt'>;

/**
 * The ids of the attempts whose next one is still to come. An attempt keeps its `nextAttemptAt` when the event was tried again, also at
 * once. `attempts`: the newest first. `now`: by the service's clock, in milliseconds.
 */
export function withNextAttempt(attempts: readonly Attempt[], now: number): ReadonlySet<string> {
  const newest = new Map<string, Attempt>();
  for (const attempt of attempts) if (!newest.has(attempt.eventId)) newest.set(attempt.eventId, attempt);
  const waiting = [...newest.values()].filter(
    ({ nextAttemptAt }) => nextAttemptAt !== null && Date.parse(nextAttemptAt) > now,
  );
  return new Set(waiting.map(({ id }) => id));
}
