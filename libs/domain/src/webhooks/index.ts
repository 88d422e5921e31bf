// Webhooks: what a response to a delivery means, and when to try again.
export { attemptOutcome, type AttemptOutcome } from './attempt-outcome';
export { eventRetryMs, probeMs, retryAfterMs } from './retry-times';
export { afterAttempt, HEALTHY, probedEvent, type Attempt, type WebhookHealth } from './webhook-health';
