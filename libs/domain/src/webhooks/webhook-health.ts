// Whether a webhook can be delivered to, learned from its attempts: when it fails, when it is tried again, how many deliveries it gets at once
// when it comes back, and when it is disabled.
import type { AttemptOutcome } from './attempt-outcome';
import { probeMs } from './retry-times';

/** Timestamps in milliseconds since 1970. */
export interface WebhookHealth {
  readonly status: 'active' | 'failing' | 'disabled';
  readonly statusReason: 'no_success_72h' | 'gone' | null;
  /** Of `failing`, and of a webhook that was disabled while it failed. */
  readonly failingSinceMs: number | null;
  /** When it first failed after the last success, also where it has refused single events since. */
  readonly unsuccessfulSinceMs?: number | null;
  /** In a row. */
  readonly failures: number;
  /** While `failing`: one event is sent at this time, and nothing before. */
  readonly nextProbeMs: number | null;
  readonly lastSuccessMs: number | null;
  /** How many deliveries may be in flight at once, each of another charger. `UNLIMITED` where only the webhook's own limit counts. */
  readonly concurrency: number;
  /** Different events that were refused since the last success, oldest first; at most 20. */
  readonly refused: readonly string[];
  /** Whether it fails because everything is refused, not because nothing arrives. */
  readonly refusesAll: boolean;
}

/** An attempt that ended. */
export interface Attempt {
  readonly eventId: string;
  readonly outcome: AttemptOutcome;
  /** When it began, and when the event's first attempt did. */
  readonly startedMs: number;
  readonly firstStartedMs: number;
  readonly endedMs: number;
  /** Of the response. */
  readonly retryAfterMs?: number;
}

/** JSON has no infinity. */
export const UNLIMITED = Number.MAX_SAFE_INTEGER;

export const HEALTHY: WebhookHealth = {
  status: 'active',
  statusReason: null,
  failingSinceMs: null,
  failures: 0,
  nextProbeMs: null,
  lastSuccessMs: null,
  concurrency: UNLIMITED,
  refused: [],
  refusesAll: false,
};

/** So many different events refused, and none delivered between: the receiver is broken, not the events. */
const MAX_REFUSED = 20;
const MAX_FAILING_MS = 72 * 3_600_000;
/** Above the largest limit of a webhook. */
const MAX_CONCURRENCY = 32;

/**
 * `random`: from 0 to 1. `timeScale`: factor of all waits and limits. Attempts that were in flight when the webhook failed or was disabled change nothing, unless
 * delivered.
 */
export function afterAttempt(health: WebhookHealth, attempt: Attempt, random: number, timeScale = 1): WebhookHealth {
  if (health.status === 'disabled') return health;
  const { outcome } = attempt;
  if (outcome === 'webhook_gone') return { ...health, status: 'disabled', statusReason: 'gone', nextProbeMs: null };
  if (outcome === 'delivered') return afterSuccess(health, attempt);
  const isProbe = health.nextProbeMs !== null && attempt.startedMs >= health.nextProbeMs;
  if (health.status === 'failing' && !isProbe) return health;
  const waits = { random, timeScale };
  return outcome === 'webhook_failed'
    ? afterFailure({ ...health, refusesAll: false }, attempt, waits)
    : afterRefusal(health, attempt, waits);
}

/**
 * The event that a probe sends. Undefined: the oldest one. Where everything was refused the probes take turns: with one event alone, a
 * receiver that is mended would stay failing for an event that it never accepts.
 */
export function probedEvent({ refusesAll, refused, failures }: WebhookHealth): string | undefined {
  return refusesAll ? refused[(failures - 1) % refused.length] : undefined;
}

function afterSuccess(health: WebhookHealth, { endedMs }: Attempt): WebhookHealth {
  const concurrency = health.status === 'failing' ? 1 : more(health.concurrency);
  const lastSuccessMs = Math.max(endedMs, health.lastSuccessMs ?? 0);
  return { ...HEALTHY, concurrency, lastSuccessMs };
}

function more(concurrency: number): number {
  return concurrency >= MAX_CONCURRENCY ? UNLIMITED : concurrency * 2;
}

interface Waits {
  readonly random: number;
  readonly timeScale: number;
}

function afterFailure(
  health: WebhookHealth,
  { endedMs, retryAfterMs }: Attempt,
  { random, timeScale }: Waits,
): WebhookHealth {
  const failures = health.failures + 1;
  const failingSinceMs = health.failingSinceMs ?? endedMs;
  const unsuccessfulSinceMs = health.unsuccessfulSinceMs ?? failingSinceMs;
  const failing = { ...health, failures, failingSinceMs, unsuccessfulSinceMs };
  if (endedMs - unsuccessfulSinceMs >= MAX_FAILING_MS * timeScale) {
    return { ...failing, status: 'disabled', statusReason: 'no_success_72h', nextProbeMs: null };
  }
  return { ...failing, status: 'failing', nextProbeMs: endedMs + probeMs(failures, random, retryAfterMs) * timeScale };
}

function afterRefusal(health: WebhookHealth, attempt: Attempt, waits: Waits): WebhookHealth {
  if (health.refusesAll) return afterFailure(health, attempt, waits);
  const { eventId, firstStartedMs } = attempt;
  const counts = firstStartedMs > (health.lastSuccessMs ?? 0) && !health.refused.includes(eventId);
  const refused = counts ? [...health.refused, eventId] : health.refused;
  if (refused.length >= MAX_REFUSED) return afterFailure({ ...health, refused, refusesAll: true }, attempt, waits);
  // The receiver answers again: the refusal of a probe is the event's alone.
  const concurrency = health.status === 'failing' ? 1 : health.concurrency;
  const { lastSuccessMs, unsuccessfulSinceMs = null } = health;
  return { ...HEALTHY, concurrency, refused, lastSuccessMs, unsuccessfulSinceMs };
}
