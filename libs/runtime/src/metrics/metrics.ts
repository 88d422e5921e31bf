// Prometheus metrics in a registry for each process or test, never prom-client's global one.
import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import { createHistogram, type Distribution, type Histogram } from './histogram';

/** Label values of a metric; further values count under `other`, so that no input grows the registry. */
const LABEL_VALUES = 200;
const OTHER = 'other';

export type Labels<L extends string> = Readonly<Record<L, string>>;

/** Only increases. */
export interface CounterMetric<L extends string> {
  inc(labels: Labels<L>, by?: number): void;
}

export interface ReadableCounter<L extends string> extends CounterMetric<L> {
  /** The sum over all labels. */
  total(): number;
}

export interface GaugeMetric<L extends string> {
  set(labels: Labels<L>, value: number): void;
  inc(labels: Labels<L>, by?: number): void;
}

export interface HistogramMetric<L extends string> {
  /** The same one for the same labels. A busy path resolves it once. */
  child(labels: Labels<L>): Distribution;
}

export interface MetricOptions<L extends string> {
  /** Snake case with the unit at the end: `busbar_frames_total`, `busbar_request_seconds`. */
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly L[];
  /** The labels that a counter shows as 0 from the start, so that an alert sees the first event as an increase. */
  readonly initial?: readonly Labels<L>[];
}

export interface Metrics {
  /** The same metric for the same name. */
  counter<L extends string = never>(options: MetricOptions<L>): ReadableCounter<L>;
  gauge<L extends string = never>(options: MetricOptions<L>): GaugeMetric<L>;
  /** A gauge without labels that calls `read` at each scrape; of two for one name the later one. */
  observed(options: { readonly name: string; readonly help: string }, read: () => number): void;
  histogram<L extends string = never>(
    options: MetricOptions<L> & { readonly buckets: readonly number[] },
  ): HistogramMetric<L>;
  readonly contentType: string;
  /** Everything in Prometheus' text format. */
  text(): Promise<string>;
}

/** Limits in seconds for what takes from a millisecond to half a minute: a call of the store, a confirm, an answer. */
export const CALL_BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30];
/** Histogram buckets in seconds for what waits on a person or a charger: a request, a command. */
export const REQUEST_BUCKETS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** `processMetrics` adds memory and event loop. Their observers live as long as the process: not for tests. */
export function createMetrics(options: { readonly processMetrics?: boolean } = {}): Metrics {
  const registry = new Registry();
  if (options.processMetrics === true) collectDefaultMetrics({ register: registry });
  const known = new Map<string, unknown>();
  const histograms: Histogram[] = [];
  const readers = new Map<string, () => number>();

  const once = <T>(name: string, make: () => T): T => {
    const found = known.get(name) as T | undefined;
    if (found !== undefined) return found;
    const made = make();
    known.set(name, made);
    return made;
  };

  return {
    counter: <L extends string>(metric: MetricOptions<L>) => once(metric.name, () => counter(registry, metric)),
    gauge: <L extends string>(metric: MetricOptions<L>) => once(metric.name, () => gauge(registry, metric)),
    observed(metric, read) {
      readers.set(metric.name, read);
      once(metric.name, () => observed(registry, metric, () => readers.get(metric.name)?.() ?? 0));
    },
    histogram: <L extends string>(metric: MetricOptions<L> & { readonly buckets: readonly number[] }) =>
      once(metric.name, () => {
        const made = createHistogram(metric);
        histograms.push(made);
        if ((metric.labels ?? []).length === 0) made.child({});
        const bound = boundLabels<L>();
        return { child: (labels: Labels<L>) => made.child(bound(labels)) };
      }),
    contentType: registry.contentType,
    async text() {
      const others = await registry.metrics();
      return [others.trimEnd(), ...histograms.map((made) => made.text()), ''].join('\n\n').trimStart();
    },
  };
}

function counter<L extends string>(registry: Registry, options: MetricOptions<L>): ReadableCounter<L> {
  const metric = new Counter({ ...base(options), registers: [registry] });
  const bound = boundLabels<L>();
  for (const labels of options.initial ?? []) metric.inc(bound(labels), 0);
  let total = 0;
  return {
    inc(labels, by = 1) {
      total += by;
      metric.inc(bound(labels), by);
    },
    total: () => total,
  };
}

function gauge<L extends string>(registry: Registry, options: MetricOptions<L>): GaugeMetric<L> {
  const metric = new Gauge({ ...base(options), registers: [registry] });
  const bound = boundLabels<L>();
  return {
    set: (labels, value) => metric.set(bound(labels), value),
    inc: (labels, by = 1) => metric.inc(bound(labels), by),
  };
}

function observed(registry: Registry, options: { name: string; help: string }, read: () => number): Gauge {
  return new Gauge({
    ...options,
    registers: [registry],
    collect() {
      this.set(read());
    },
  });
}

function base<L extends string>(options: MetricOptions<L>): { name: string; help: string; labelNames: L[] } {
  return { name: options.name, help: options.help, labelNames: [...(options.labels ?? [])] };
}

function boundLabels<L extends string>(): (labels: Labels<L>) => Record<L, string> {
  const seen = new Map<string, Set<string>>();
  const bounded = (label: string, value: string): string => {
    const values = seen.get(label) ?? new Set<string>();
    seen.set(label, values);
    if (values.has(value)) return value;
    if (values.size >= LABEL_VALUES) return OTHER;
    values.add(value);
    return value;
  };
  return (labels) => {
    const entries = Object.entries<string>(labels).map(([label, value]) => [label, bounded(label, value)]);
    return Object.fromEntries(entries) as Record<L, string>;
  };
}
