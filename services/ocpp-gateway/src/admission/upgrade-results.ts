// Counts upgrades by result, and logs outages in which the service itself makes the gateway reject them.
import { createOutageReporter, type Clock, type Logger } from '@busbar/core';
import type { CounterMetric } from '@busbar/runtime';

/** Results whose cause is on the side of the service. */
export const SERVICE_FAILURES: readonly string[] = [
  'broker_unavailable',
  'charger_state_unavailable',
  'store_unavailable',
  'too_many_upgrades',
  'full',
  'wrong_partitions',
];
const FAILURES: ReadonlySet<string> = new Set(SERVICE_FAILURES);

/** Counts upgrades by result, and reports outages in which the service rejects them. */
export function createUpgradeResults(
  counter: CounterMetric<'result'>,
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
): CounterMetric<'result'> {
  const outages = createOutageReporter({
    clock,
    logger,
    began: 'chargers cannot connect: upgrades are rejected with 503',
    ended: 'chargers can connect again',
  });
  return {
    inc(labels, by = 1) {
      counter.inc(labels, by);
      if (labels.result === 'accepted') outages.clear('upgrades');
      else if (FAILURES.has(labels.result)) outages.report('upgrades', labels.result);
    },
  };
}
