import type { Duplex } from 'node:stream';
import type { Clock } from '@busbar/core';
import type { UpgradeConnection } from '@busbar/http';
import type { GatewayMetrics } from '../gateway-metrics';
import { writeRejection, type Rejection } from './rejection';
import type { RejectedAttempt, RejectedAttempts } from './rejected-attempts';
import type { RetrySchedule } from './retry-schedule';

export interface RejectUpgradeDeps {
  readonly clock: Clock;
  readonly metrics: Pick<GatewayMetrics, 'upgrades'>;
  readonly onRejected: RejectedAttempts['rejected'];
  readonly retries: RetrySchedule;
}

export interface RejectableUpgrade extends Pick<RejectedAttempt, 'request'> {
  readonly socket: Duplex;
}

/** Overload soon passes. The other reasons of a 503 last longer: their chargers retry later, at random. */
const OVERLOADED: ReadonlySet<string> = new Set(['too_many_upgrades', 'charger_state_unavailable']);

/** Rejects an upgrade with a response, counts it and reports it. */
export function rejectUpgrade(
  { clock, metrics, onRejected, retries }: RejectUpgradeDeps,
  { request, socket }: RejectableUpgrade,
  from: UpgradeConnection,
  rejection: Rejection,
): void {
  const { reason, charger } = rejection;
  metrics.upgrades.inc({ result: reason });
  const answer = OVERLOADED.has(reason) ? { ...rejection, retryAfterMs: retries.nextMs() } : rejection;
  const requestId = writeRejection(socket, request, answer, clock);
  onRejected({ request, from, reason, requestId, ...(charger === undefined ? {} : { charger }) });
}
