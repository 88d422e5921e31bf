import type { Delivery } from '@busbar/broker';
import type { ReportBatch } from '@busbar/contracts';
import type { Clock } from '@busbar/core';
import type { ChargerStateMetrics } from '../charger-state-metrics';

type Handle = (batch: readonly Delivery<ReportBatch>[], partition: number) => Promise<void>;

export interface MeasureBatchesDeps {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly metrics: Pick<ChargerStateMetrics, 'batchSeconds' | 'batchMessages'>;
}

/** The handler, with the duration and the size of each batch measured. */
export function measureBatches(handle: Handle, { clock, metrics }: MeasureBatchesDeps): Handle {
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
