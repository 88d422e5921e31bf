// The metrics and labels that alerts, dashboards, autoscalers and documents name, and those that processes show.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const ROOT = join(__dirname, '../../..');
const CHART = join(ROOT, 'deploy/chart/busbar');
/** Where a table names every metric. */
const METRIC_TABLES = ['libs/runtime', 'services/ocpp-gateway', 'services/charger-state', 'services/push'];
/** `deploy/monitoring` reads the same files. */
const FOLDER = join(CHART, 'files');

export interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly description: string; readonly runbook_url: string };
}

interface Dashboard {
  readonly panels: readonly {
    readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
  }[];
}

/** An expression of PromQL, with the labels that a text beside it shows. */
export interface Expression {
  readonly where: string;
  readonly text: string;
  readonly shown: readonly string[];
}

/** The alerts of every way of running. */
export function readAlerts(): readonly Alert[] {
  return alertsIn('alerts.yml');
}

/** The alerts on metrics that Kubernetes has of the pods. */
export function readKubernetesAlerts(): readonly Alert[] {
  return alertsIn('alerts-kubernetes.yml');
}

/** The alerts on metrics that RabbitMQ has of its queues. */
export function readRabbitAlerts(): readonly Alert[] {
  return alertsIn('alerts-rabbitmq.yml');
}

export function readExpressions(): readonly Expression[] {
  const alerts = readAlerts().map(({ alert, expr, annotations }) => ({
    where: alert,
    text: expr,
    shown: [...annotations.description.matchAll(/\$labels\.(\w+)/g)].map(([, name = '']) => name),
  }));
  const files = readdirSync(join(FOLDER, 'dashboards'));
  const panels = files.flatMap((file) => {
    const { panels } = JSON.parse(readFileSync(join(FOLDER, 'dashboards', file), 'utf8')) as Dashboard;
    return panels.flatMap(({ targets = [] }) =>
      targets.map(({ expr, legendFormat }) => ({
        where: file,
        text: expr,
        shown: [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name),
      })),
    );
  });
  const scaling = [
    ...readFileSync(join(CHART, 'templates/_scaling.tpl'), 'utf8').matchAll(/busbar_\w+(?:\{[^}]*\})?/g),
  ];
  const scaled = scaling.map(([text]) => ({ where: 'autoscaling', text, shown: [] }));
  // The rest of these expressions is RabbitMQ's.
  const besideRabbit = readRabbitAlerts().flatMap(({ alert, expr }) =>
    [...expr.matchAll(/busbar_\w+\{[^}]*\}/g)].map(([text]) => ({ where: alert, text, shown: [] })),
  );
  return [...alerts, ...panels, ...scaled, ...besideRabbit, ...readAdapterRules()];
}

/** The rules of prometheus-adapter in the README of the chart, with a pod and a service in place of what the adapter fills in. */
export function readAdapterRules(): readonly Expression[] {
  const readme = readFileSync(join(CHART, 'README.md'), 'utf8');
  const [, text = ''] = /```yaml\n(rules:\n[^`]*seriesQuery[^`]*)```/.exec(readme) ?? [];
  const { rules } = parse(text) as { rules: readonly { seriesQuery: string; metricsQuery: string }[] };
  return rules.flatMap(({ seriesQuery, metricsQuery }) =>
    [seriesQuery, metricsQuery].map((query) => ({
      where: 'prometheus-adapter',
      text: query.replace('<<.LabelMatchers>>', 'namespace="a"').replace('<<.GroupBy>>', 'namespace'),
      shown: [],
    })),
  );
}

/** The metrics of Busbar that the tables of the READMEs name. */
export function readDocumentedMetrics(): readonly string[] {
  return METRIC_TABLES.flatMap((folder) =>
    [...readFileSync(join(ROOT, folder, 'README.md'), 'utf8').matchAll(/^\| `(busbar_\w+)`/gm)].map(
      ([, name = '']) => name,
    ),
  );
}

/** The metrics that an expression selects. */
export function metricsIn({ text }: Expression): readonly string[] {
  return [...text.matchAll(/\b((?:busbar|process|nodejs)_\w+)/g)].map(([, name = '']) => name);
}

/** The labels of an expression: in selectors, after `by`, and in the text beside it. */
export function labelsIn({ text, shown }: Expression): readonly string[] {
  const selected = [...text.matchAll(/\{([^}]*)\}/g)].flatMap(([, inner = '']) =>
    [...inner.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, name = '']) => name),
  );
  const grouped = [...text.matchAll(/\bby\s*\(([^)]*)\)/g)].flatMap(([, inner = '']) => inner.split(/\s*,\s*/));
  return [...new Set([...selected, ...grouped, ...shown])].filter((name) => name !== '');
}

/** Names of samples with their labels, from Prometheus' text. */
export function samplesIn(text: string): ReadonlyMap<string, ReadonlySet<string>> {
  const samples = new Map<string, Set<string>>();
  for (const line of text.split('\n')) {
    const [, name, labels = ''] = /^([a-z]\w*)(?:\{(.*)\})? \S+$/.exec(line) ?? [];
    if (name === undefined) continue;
    const known = samples.get(name) ?? new Set<string>();
    samples.set(name, known);
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) known.add(label);
  }
  return samples;
}

function alertsIn(name: string): readonly Alert[] {
  const file = parse(readFileSync(join(FOLDER, name), 'utf8')) as { groups: { rules: Alert[] }[] };
  return file.groups.flatMap(({ rules }) => rules);
}
