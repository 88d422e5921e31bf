// Whether the broker and the store are there, for whoever must act: the same in every process, whatever the adapter.
import type { Clock } from '@busbar/core';
import type { Metrics } from './metrics';

/** A broker or a store. */
export interface Measurable {
  ready(): boolean;
  onConnection(listener: (up: boolean) => void): () => void;
}

/** `busbar_broker_up`, `busbar_broker_away_seconds`, `busbar_broker_losses_total`. */
export function measureBroker(metrics: Metrics, broker: Measurable, clock: Clock): void {
  measure(metrics, { name: 'broker', part: broker, clock });
}

/** `busbar_store_up`, `busbar_store_away_seconds`, `busbar_store_losses_total`. */
export function measureStore(metrics: Metrics, store: Measurable, clock: Clock): void {
  measure(metrics, { name: 'store', part: store, clock });
}

/** `busbar_store_schema_version`, once the store has told it. */
export function measureSchema(metrics: Metrics): (version: number) => void {
  const gauge = metrics.gauge({
    name: 'busbar_store_schema_version',
    help: 'Version of the stored documents, as this process found or made it.',
  });
  return (version) => gauge.set({}, version);
}

interface Measurement {
  readonly name: 'broker' | 'store';
  readonly part: Measurable;
  readonly clock: Clock;
}

function measure(metrics: Metrics, { name, part, clock }: Measurement): void {
  let unavailableSinceMs: number | undefined;
  const losses = metrics.counter({ name: `busbar_${name}_losses_total`, help: `How often the ${name} was lost.` });
  part.onConnection((up) => {
    if (!up) losses.inc({});
    unavailableSinceMs = up ? undefined : clock.monotonicMs();
  });
  metrics.observed({ name: `busbar_${name}_up`, help: `Whether the ${name} can be used (1) or not (0).` }, () =>
    part.ready() ? 1 : 0,
  );
  metrics.observed(
    { name: `busbar_${name}_away_seconds`, help: `For how long the ${name} has been away; 0 while it is there.` },
    () => (unavailableSinceMs === undefined ? 0 : (clock.monotonicMs() - unavailableSinceMs) / 1000),
  );
}
