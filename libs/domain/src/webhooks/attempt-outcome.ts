// What the response to a delivery attempt means, and of whom it speaks.

/**
 * `delivered`: the receiver has the event. `webhook_failed`: nothing can be delivered now, whatever the event. `event_refused`: this
 * event was not accepted; others may be. `webhook_gone`: the receiver wants nothing any more.
 */
export type AttemptOutcome = 'delivered' | 'webhook_failed' | 'event_refused' | 'webhook_gone';

const GONE = 410;
/** Of the address, the credentials, or a moment; never of what was sent. */
const OF_THE_WEBHOOK: ReadonlySet<number> = new Set([401, 403, 404, 407, 408, 425, 429, 502, 503, 504]);

/** `status`: of the HTTP response; null without one (time limit, name, connection, TLS, refused address). */
export function attemptOutcome(status: number | null): AttemptOutcome {
  if (status === null) return 'webhook_failed';
  if (status >= 200 && status <= 299) return 'delivered';
  if (status === GONE) return 'webhook_gone';
  // Redirects are not followed: the address is wrong.
  const isRedirect = status >= 300 && status <= 399;
  return isRedirect || OF_THE_WEBHOOK.has(status) ? 'webhook_failed' : 'event_refused';
}
