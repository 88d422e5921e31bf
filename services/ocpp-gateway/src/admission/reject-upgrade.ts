import type { Duplex } from 'node:stream';
import type { Clock } from '@busbar/core';
import type { UpgradeConnection } from '@busbar/http';
import type { GatewayMetrics } from '../gateway-metrics';
import { writeRejection, type Rejection } from './rejection';
import type { RejectedAttempt, RejectedAttempts } from './rejected-attempts';

export interface RejectUpgradeDeps {
  readonly clock: Clock;
  readonly metrics: Pick<GatewayMetrics, 'upgrades'>;
  readonly onRejected: RejectedAttempts['rejected'];
}

export interface RejectableUpgrade extends Pick<RejectedAttempt, 'request'> {
  readonly socket: Duplex;
}

/** Rejects an upgrade with a response, counts it and reports it. */
export function rejectUpgrade(
  { clock, metrics, onRejected }: RejectUpgradeDeps,
  { request, socket }: RejectableUpgrade,
  from: UpgradeConnection,
  rejection: Rejection,
): void {
  const { reason, charger } = rejection;
  metrics.upgrades.inc({ result: reason });
  const requestId = writeRejection(socket, request, rejection, clock);
  onRejected({ request, from, reason, requestId, ...(charger === undefined ? {} : { charger }) });
}
