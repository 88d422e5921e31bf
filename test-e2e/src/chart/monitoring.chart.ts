// What the monitors select and add, and that Prometheus parses every query of the chart and of its README.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { readAdapterRules } from '../harness/monitoring-names';
import { CHART, least, render } from './helm';
import { objectOf, podsOf, PROCESSES, selects, specOf, type Fields } from './objects';

interface Dashboard {
  readonly panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[];
}

interface ScaledObjectSpec {
  readonly triggers: readonly { readonly metadata: { readonly query?: string } }[];
}

/** As Grafana fills them in. */
const VARIABLES = { $__rate_interval: '1m', $namespace: 'charging', $release: 'charge' };

function queriesOfDashboards(): readonly string[] {
  return render(least({ monitoring: { dashboards: { enabled: true } } }))
    .filter(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name.includes('dashboard'))
    .flatMap(({ data }) => Object.values(data as Readonly<Record<string, string>>))
    .flatMap((text) => (JSON.parse(text) as Dashboard).panels)
    .flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
    .map((expr) => Object.entries(VARIABLES).reduce((text, [name, value]) => text.replaceAll(name, value), expr));
}

function queriesOfAutoscalers(): readonly string[] {
  return render(join(CHART, 'ci/direct-values.yaml'))
    .filter(({ kind }) => kind === 'ScaledObject')
    .flatMap((object) => (specOf(object) as unknown as ScaledObjectSpec).triggers)
    .flatMap(({ metadata: { query } }) => (query === undefined ? [] : [query]));
}

interface MonitorSpec {
  readonly selector: { readonly matchLabels: Readonly<Record<string, string>> };
  readonly endpoints?: readonly Endpoint[];
  readonly podMetricsEndpoints?: readonly Endpoint[];
}

interface Endpoint {
  readonly port: string;
  readonly path: string;
  readonly relabelings: readonly Fields[];
}

/** Beside the processes, what is no process: RabbitMQ, MongoDB, mongodump, the pod of `helm test`. */
const BESIDE = {
  broker: { existingSecret: { name: '' } },
  store: { existingSecret: { name: '' } },
  tryOut: { password: 'sixteen-characters', rabbitmq: { enabled: true }, mongodb: { enabled: true } },
  backup: { mongodump: { enabled: true } },
};

function monitored(kind: 'serviceMonitor' | 'podMonitor') {
  const objects = render(least({ ...BESIDE, monitoring: { [kind]: { enabled: true } } }));
  const monitor = specOf(objectOf(objects, kind === 'serviceMonitor' ? 'ServiceMonitor' : 'PodMonitor'));
  const { selector, endpoints, podMetricsEndpoints } = monitor as unknown as MonitorSpec;
  return { objects, selector: selector.matchLabels, endpoints: endpoints ?? podMetricsEndpoints ?? [] };
}

it('a ServiceMonitor selects the internal port of every process, once', () => {
  const { objects, selector, endpoints } = monitored('serviceMonitor');
  const services = objects.filter(
    ({ kind, metadata }) => kind === 'Service' && selects(selector, metadata.labels ?? {}),
  );
  const names = PROCESSES.map((name) => `charge-busbar-${name}-metrics`);
  expect(services.map(({ metadata }) => metadata.name).toSorted()).toEqual(names.toSorted());
  expect(endpoints).toMatchObject([{ port: 'internal', path: '/metrics' }]);
});

it('a PodMonitor selects the pods of the processes, and names them as a ServiceMonitor does', () => {
  const { objects, selector, endpoints } = monitored('podMonitor');
  const pods = podsOf(objects).filter(({ labels }) => selects(selector, labels));
  const components = pods.map(({ labels }) => labels['app.kubernetes.io/component']);
  expect(components.toSorted()).toEqual(PROCESSES.toSorted());
  expect(endpoints).toMatchObject([{ port: 'internal', path: '/metrics' }]);
  expect(endpoints[0]?.relabelings).toContainEqual({
    sourceLabels: ['__meta_kubernetes_pod_label_app_kubernetes_io_component'],
    targetLabel: 'service',
    replacement: 'charge-busbar-$1-metrics',
  });
});

it.each(['serviceMonitor', 'podMonitor'] as const)(
  'a %s adds the labels that alerts and dashboards ask for',
  (kind) => {
    expect(monitored(kind).endpoints[0]?.relabelings).toEqual(
      expect.arrayContaining([
        { targetLabel: 'job', replacement: 'busbar' },
        { targetLabel: 'release', replacement: 'charge' },
        { sourceLabels: ['__meta_kubernetes_pod_name'], targetLabel: 'instance' },
      ]),
    );
  },
);

const hasPromtool = spawnSync('promtool', ['--version']).error === undefined;
const withPromtool = hasPromtool || process.env['REQUIRE_REAL_SERVERS'] === '1' ? it : it.skip;

withPromtool.each([
  { of: 'dashboards', queries: queriesOfDashboards() },
  { of: 'autoscalers by KEDA', queries: queriesOfAutoscalers() },
  { of: 'the rules of prometheus-adapter', queries: readAdapterRules().map(({ text }) => text) },
])('Prometheus parses the queries of $of', ({ queries }) => {
  expect(queries.length).toBeGreaterThan(1);
  const directory = mkdtempSync(join(tmpdir(), 'busbar-queries-'));
  try {
    const rules = queries.map((expr, index) => ({ record: `query:${String(index)}`, expr }));
    writeFileSync(join(directory, 'rules.yml'), stringify({ groups: [{ name: 'queries', rules }] }));
    expect(() =>
      execFileSync('promtool', ['check', 'rules', 'rules.yml'], { cwd: directory, stdio: 'pipe' }),
    ).not.toThrow();
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
