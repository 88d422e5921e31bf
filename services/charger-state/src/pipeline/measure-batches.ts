import type { Clock } from '@busbar/core';
import type { ChargerStateMetrics } from '../charger-state-metrics';
import type { PartitionHandler } from './deliver';

export interface MeasureBatchesDeps {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly metrics: Pick<ChargerStateMetrics, 'batchSeconds' | 'batchMessages'>;
}

/** The handler, with the duration and the size of each batch measured. */
export function measureBatches(handle: PartitionHandler, { clock, metrics }: MeasureBatchesDeps): PartitionHandler {
  const applied = metrics.batchSeconds.child({ outcome: 'applied' });
  const failed = metrics.batchSeconds.child({ outcome: 'failed' });
  return async (batch, partition) => {
    const startMs = clock.monotonicMs();
    let distribution = failed;
    try {
      await handle(batch, partition);
      distribution = applied;
    } finally {
      distribution.observe((clock.monotonicMs() - startMs) / 1000);
      metrics.batchMessages.observe(batch.reduce((sum, { body }) => sum + (body?.reports.length ?? 1), 0));
    }
  };
}
