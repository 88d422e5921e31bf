// When a delivery is tried again. All times in milliseconds.

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
/** Of one event that the receiver refused; after the last it is parked. */
const EVENT_RETRIES_MS = [5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS];
/** Of a webhook that fails; the last repeats. */
const PROBES_MS = [5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 5 * MINUTE_MS, 10 * MINUTE_MS];
const PROBE_JITTER = 0.2;
const MAX_RETRY_AFTER_MS = 60 * MINUTE_MS;

/** How long an event waits after so many refused attempts (from 1). Undefined: it is parked. */
export function eventRetryMs(attempts: number): number | undefined {
  return EVENT_RETRIES_MS[attempts - 1];
}

/**
 * How long a webhook waits for its next probe after so many failures in a row (from 1). `random`: from 0 to 1, moves the time by up
 * to a fifth, so that webhooks of one receiver do not come at once. A longer `retryAfter` of the receiver counts.
 */
export function probeMs(failures: number, random: number, retryAfter = 0): number {
  const planned = PROBES_MS[Math.min(failures, PROBES_MS.length) - 1] ?? SECOND_MS;
  return Math.max(planned * (1 + PROBE_JITTER * (2 * random - 1)), retryAfter);
}

/**
 * The wait that a `Retry-After` header asks for (RFC 9110, 10.2.3), in seconds or as a date; an hour at most. 0 where there is none,
 * it cannot be read, or it is over.
 */
export function retryAfterMs(header: string | undefined, nowMs: number): number {
  const text = header?.trim() ?? '';
  if (text === '') return 0;
  const seconds = Number(text);
  const wait = Number.isNaN(seconds) ? Date.parse(text) - nowMs : seconds * SECOND_MS;
  return wait > 0 ? Math.min(wait, MAX_RETRY_AFTER_MS) : 0;
}
