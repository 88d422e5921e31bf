// Availability of the broker and the store as metrics, the same in every process and for every adapter.
import type { Clock } from '@busbar/core';
import type { Metrics } from '../metrics/metrics';
import { isSettled, type StoreSchema } from '../migrations/store-schema';

/** A broker or a store. */
export interface Measurable {
  ready(): boolean;
  onConnection(listener: (up: boolean) => void): () => void;
}

/** `busbar_broker_up`, `busbar_broker_unavailable_seconds`, `busbar_broker_outages_total`; the same for the store. */
export function measureAvailability(metrics: Metrics, name: 'broker' | 'store', part: Measurable, clock: Clock): void {
  let unavailableSinceMs: number | undefined;
  const outages = metrics.counter({ name: `busbar_${name}_outages_total`, help: `Outages of the ${name}.` });
  part.onConnection((up) => {
    if (!up) outages.inc({});
    unavailableSinceMs = up ? undefined : clock.monotonicMs();
  });
  metrics.observed({ name: `busbar_${name}_up`, help: `1 while the ${name} is available, else 0.` }, () =>
    part.ready() ? 1 : 0,
  );
  metrics.observed(
    {
      name: `busbar_${name}_unavailable_seconds`,
      help: `Duration of the current outage of the ${name}; 0 without one.`,
    },
    () => (unavailableSinceMs === undefined ? 0 : (clock.monotonicMs() - unavailableSinceMs) / 1000),
  );
}

/** `busbar_store_schema_version`, `busbar_store_settled`, `busbar_store_migration_documents`, once the store was read. */
export function measureSchema(metrics: Metrics) {
  const version = metrics.gauge({
    name: 'busbar_store_schema_version',
    help: 'Schema version of the stored documents, as this process last read it; 0 before, while the store is migrated.',
  });
  const settled = metrics.gauge({
    name: 'busbar_store_settled',
    help: '0 while documents of older programs may lack what the newest version adds, else 1.',
  });
  const documents = metrics.gauge({
    name: 'busbar_store_migration_documents',
    help: 'Documents changed by the migration or settling pass that this process runs, or ran last.',
  });
  return {
    onSchema(schema: StoreSchema) {
      version.set({}, schema.version);
      settled.set({}, isSettled(schema) ? 1 : 0);
    },
    onDocuments: (count: number) => documents.set({}, count),
  };
}
