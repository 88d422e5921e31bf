import type { Metrics } from '@busbar/runtime';

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
    upgrades: metrics.counter({
      name: 'busbar_gateway_upgrades_total',
      help: 'Websocket upgrades, by how they ended.',
      labels: ['result'],
    }),
  };
}

export type GatewayMetrics = ReturnType<typeof createGatewayMetrics>;
