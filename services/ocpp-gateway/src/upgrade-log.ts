// That chargers are sent away for want of something of ours is one line in the log when it begins and one when it ends; the
// metric counts each.
import { createTrouble, type Clock, type Logger } from '@busbar/core';
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
  const trouble = createTrouble({
    clock,
    logger,
    began: 'chargers that want to connect are told to come again',
    ended: 'chargers are admitted again',
  });
  return {
    inc(labels, by = 1) {
      counter.inc(labels, by);
      if (labels.result === 'accepted') trouble.over('upgrades');
      else if (OURS.has(labels.result)) trouble.lasts('upgrades', labels.result);
    },
  };
}
