import type { Metrics } from '@busbar/runtime';
import type { Publisher } from './publisher';
import type { Registry } from './registry';

/** What a gateway counts. */
export function createGatewayMetrics(metrics: Metrics) {
  return {
    frames: metrics.counter({
      name: 'busbar_gateway_frames_total',
      help: 'Frames from chargers, by what they are.',
      labels: ['type'],
    }),
    refusedCalls: metrics.counter({
      name: 'busbar_gateway_refused_calls_total',
      help: 'CALLs of chargers answered with a CALLERROR, by what was wrong.',
      labels: ['situation'],
    }),
    failedCalls: metrics.counter({
      name: 'busbar_gateway_failed_calls_total',
      help: 'CALLs answered InternalError because the broker or charger-state was away.',
    }),
    deviations: metrics.counter({
      name: 'busbar_gateway_deviations_total',
      help: 'What chargers got wrong and were answered all the same, by kind.',
      labels: ['kind'],
    }),
    slowReaders: metrics.counter({
      name: 'busbar_gateway_slow_readers_total',
      help: 'Sockets cut because their charger did not read what it was sent.',
    }),
    closedForOutage: metrics.counter({
      name: 'busbar_gateway_closed_for_outage_total',
      help: 'Sockets closed because a message of a transaction was refused in a long outage.',
    }),
    unsendable: metrics.counter({
      name: 'busbar_gateway_unsendable_total',
      help: 'Reports given up because the broker can never take them: too large by themselves, or not to be encoded.',
      labels: ['kind'],
    }),
    newIds: metrics.counter({
      name: 'busbar_gateway_new_ids_total',
      help: 'Times that this gateway went on under a new id: its lease had lapsed while it was paused or cut off.',
    }),
    upgrades: metrics.counter({
      name: 'busbar_gateway_upgrades_total',
      help: 'Websocket upgrades, by how they ended.',
      labels: ['result'],
    }),
  };
}

export type GatewayMetrics = ReturnType<typeof createGatewayMetrics>;

export interface Observed {
  readonly registry: Registry;
  readonly publisher: Publisher;
  /** Upgrades that wait for admission. */
  readonly pending: () => number;
}

/** What is so at the moment that it is asked for. */
export function observeGateway(metrics: Metrics, { registry, publisher, pending }: Observed): void {
  const gauges: readonly (readonly [name: string, help: string, read: () => number])[] = [
    ['connections', 'Open charger connections.', registry.size],
    ['paused_sockets', 'Sockets that are not read from for the moment.', () => pausedOf(registry)],
    ['unconfirmed', 'Reports not yet confirmed by the broker.', publisher.unconfirmed],
    ['held_seconds', 'For how long the broker has not taken reports; 0 while it does.', publisher.failingSeconds],
    ['pending_upgrades', 'Upgrades that wait for admission.', pending],
  ];
  for (const [name, help, read] of gauges) metrics.observed({ name: `busbar_gateway_${name}`, help }, read);
}

function pausedOf(registry: Registry): number {
  let paused = 0;
  for (const connection of registry.all()) if (connection.paused) paused += 1;
  return paused;
}
