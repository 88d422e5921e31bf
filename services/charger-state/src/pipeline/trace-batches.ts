import type { Delivery } from '@busbar/broker';
import type { ReportBatch, ReportEnvelope } from '@busbar/contracts';
import type { TraceSpan, Tracing } from '@busbar/runtime';
import type { PartitionHandler } from './deliver';

/** Spans of one batch; further traced reports of it have none here. */
const MAX_SPANS = 20;

/**
 * The handler, with a span for each report that belongs to a trace: it lasts as long as its batch. Calls of the store belong to
 * the first one, since they write the whole batch. Any other batch runs outside all traces, whatever caused its delivery.
 */
export function traceBatches(handle: PartitionHandler, tracing: Tracing): PartitionHandler {
  return async (batch, partition) => {
    const spans = tracedOf(batch).map((report) => beginSpan(tracing, report));
    const [first] = spans;
    const work = (): Promise<void> => handle(batch, partition);
    try {
      await (first === undefined ? tracing.within(undefined, work) : first.run(work));
      for (const span of spans) span.end();
    } catch (error) {
      for (const span of spans) span.end('batch_failed');
      throw error;
    }
  };
}

function tracedOf(batch: readonly Delivery<ReportBatch>[]): readonly ReportEnvelope[] {
  const reports = batch.flatMap(
    ({ body }) => body?.reports.filter(({ traceparent }) => traceparent !== undefined) ?? [],
  );
  return reports.slice(0, MAX_SPANS);
}

function beginSpan(tracing: Tracing, { traceparent, action, kind, chargerId }: ReportEnvelope): TraceSpan {
  const attributes = { 'busbar.charger.id': chargerId, 'busbar.report.kind': kind, 'rpc.method': action };
  const headers = traceparent === undefined ? undefined : { traceparent };
  return tracing.begin(`apply ${action}`, { kind: 'consumer', attributes }, headers);
}
