import type { Metrics } from '@busbar/runtime';

/** What a replica of charger-state counts. */
export function createChargerStateMetrics(metrics: Metrics) {
  return {
    applied: metrics.counter({
      name: 'busbar_state_applied_total',
      help: 'Messages of chargers that were applied and stored.',
    }),
    deadLetters: metrics.counter({
      name: 'busbar_state_dead_letters_total',
      help: 'Messages that failed by their own fault and were given up.',
    }),
  };
}

export type ChargerStateMetrics = ReturnType<typeof createChargerStateMetrics>;
