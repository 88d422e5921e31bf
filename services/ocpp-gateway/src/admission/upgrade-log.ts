// That chargers are sent away for want of something of ours is one line in the log when it begins and one when it ends; the
// metric counts each.
import { createOutageReporter, type Clock, type Logger } from '@busbar/core';
import type { CounterMetric } from '@busbar/runtime';

/** What a charger can do nothing about. */
const OURS: ReadonlySet<string> = new Set([
  'broker_away',
  'charger_state_away',
  'store_away',
  'too_many_at_once',
  'full',
  'wrong_partitions',
]);

/** Counts upgrades by how they ended, and tells of times in which they are refused for a reason of ours. */
export function createUpgradeLog(
  counter: CounterMetric<'result'>,
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
): CounterMetric<'result'> {
  const outages = createOutageReporter({
    clock,
    logger,
    began: 'chargers that want to connect are told to come again',
    ended: 'chargers are admitted again',
  });
  return {
    inc(labels, by = 1) {
      counter.inc(labels, by);
      if (labels.result === 'accepted') outages.clear('upgrades');
      else if (OURS.has(labels.result)) outages.report('upgrades', labels.result);
    },
  };
}
