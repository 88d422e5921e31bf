// A histogram that costs an addition for each value: prom-client's resolves and hashes the labels of each one, which
// the path of a charger's message cannot afford. A child is resolved once for its labels.

/** A histogram for one combination of label values. */
export interface Distribution {
  observe(value: number): void;
}

interface Series extends Distribution {
  /** The lines of Prometheus' text format. */
  lines(): readonly string[];
}

export interface HistogramShape {
  readonly name: string;
  readonly help: string;
  /** Upper limits, ascending, without infinity. */
  readonly buckets: readonly number[];
}

export interface Histogram {
  /** The same one for the same labels. Their values must be bounded by the caller. */
  child(labels: Readonly<Record<string, string>>): Distribution;
  /** Prometheus' text format, with `# HELP` and `# TYPE`. */
  text(): string;
}

export function createHistogram(shape: HistogramShape): Histogram {
  const children = new Map<string, Series>();
  return {
    child(labels) {
      const text = labelText(labels);
      const found = children.get(text);
      if (found !== undefined) return found;
      const made = createSeries(shape, text);
      children.set(text, made);
      return made;
    },
    text() {
      const { name, help } = shape;
      const head = [`# HELP ${name} ${escaped(help)}`, `# TYPE ${name} histogram`];
      return [...head, ...[...children.values()].flatMap((child) => child.lines())].join('\n');
    },
  };
}

function createSeries({ name, buckets }: HistogramShape, labels: string): Series {
  const limits = Float64Array.from(buckets);
  const counts = new Float64Array(limits.length + 1);
  let sum = 0;
  return {
    observe(value) {
      sum += value;
      let at = 0;
      while (at < limits.length && value > (limits[at] ?? 0)) at += 1;
      counts[at] = (counts[at] ?? 0) + 1;
    },
    lines() {
      let total = 0;
      const lines = [...counts].map((count, at) => {
        total += count;
        const limit = at < limits.length ? String(limits[at]) : '+Inf';
        const all = labels === '' ? `le="${limit}"` : `le="${limit}",${labels}`;
        return `${name}_bucket{${all}} ${String(total)}`;
      });
      const shown = labels === '' ? '' : `{${labels}}`;
      return [...lines, `${name}_sum${shown} ${String(sum)}`, `${name}_count${shown} ${String(total)}`];
    },
  };
}

function labelText(labels: Readonly<Record<string, string>>): string {
  const entries = Object.entries(labels);
  return entries.map(([name, value]) => `${name}="${escaped(value).replaceAll('"', '\\"')}"`).join(',');
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}
