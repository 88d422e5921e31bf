// Tests what the monitors select and add, and that Prometheus parses every query of the chart and of its README.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { readAdapterRules } from '../harness/monitoring-names';
import { CHART, minimalValues, render, renderMongodump, type KubernetesObject } from './helm';
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
  return render(minimalValues({ monitoring: { dashboards: { enabled: true } } }))
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

/** Beside the processes, what is no process: RabbitMQ, MongoDB, the pod of `helm test`; and mongodump. */
const BESIDE = {
  broker: { existingSecret: { name: '' } },
  store: { existingSecret: { name: '' } },
  tryOut: { password: 'sixteen-characters', rabbitmq: { enabled: true }, mongodb: { enabled: true } },
};

function monitored(kind: 'serviceMonitor' | 'podMonitor') {
  const objects = [
    ...render(minimalValues({ ...BESIDE, monitoring: { [kind]: { enabled: true } } })),
    ...renderMongodump({}),
  ];
  const monitor = specOf(objectOf(objects, kind === 'serviceMonitor' ? 'ServiceMonitor' : 'PodMonitor'));
  const { selector, endpoints, podMetricsEndpoints } = monitor as unknown as MonitorSpec;
  return { objects, selector: selector.matchLabels, endpoints: endpoints ?? podMetricsEndpoints ?? [] };
}

it('selects the internal port of every process once with a ServiceMonitor', () => {
  const { objects, selector, endpoints } = monitored('serviceMonitor');
  const services = objects.filter(
    ({ kind, metadata }) => kind === 'Service' && selects(selector, metadata.labels ?? {}),
  );
  const names = PROCESSES.map((name) => `charge-busbar-${name}-metrics`);
  expect(services.map(({ metadata }) => metadata.name).toSorted()).toEqual(names.toSorted());
  expect(endpoints).toMatchObject([{ port: 'internal', path: '/metrics' }]);
});

it('selects the pods of the processes with a PodMonitor, and names them as a ServiceMonitor does', () => {
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
  'adds the labels that alerts and dashboards require in a %s',
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

it.each(['serviceMonitor', 'podMonitor'] as const)('has the interval and the labels of the values in a %s', (kind) => {
  const values = { enabled: true, interval: '40s', labels: { release: 'prometheus' } };
  const objects = render(minimalValues({ monitoring: { [kind]: values } }));
  const monitor = objectOf(objects, kind === 'serviceMonitor' ? 'ServiceMonitor' : 'PodMonitor');
  expect(monitor.metadata.labels).toMatchObject({ release: 'prometheus' });
  const { endpoints, podMetricsEndpoints } = specOf(monitor) as unknown as MonitorSpec;
  expect(endpoints ?? podMetricsEndpoints).toMatchObject([{ interval: '40s' }]);
});

it('has the labels of the values in a PrometheusRule', () => {
  const objects = render(minimalValues({ monitoring: { rules: { enabled: true, labels: { role: 'alert-rules' } } } }));
  expect(objectOf(objects, 'PrometheusRule').metadata.labels).toMatchObject({ role: 'alert-rules' });
});

describe('each dashboard', () => {
  const folder = join(CHART, 'files/dashboards');
  const dashboardsWith = (dashboards: Fields): readonly KubernetesObject[] =>
    render(minimalValues({ monitoring: { dashboards: { enabled: true, ...dashboards } } })).filter(
      ({ kind }) => kind === 'ConfigMap',
    );

  it('is a ConfigMap that Grafana finds, with its file as it is', () => {
    const files = readdirSync(folder);
    const maps = dashboardsWith({});
    expect(maps).toHaveLength(files.length);
    for (const file of files) {
      const map = maps.find(({ metadata }) => metadata.name === `charge-busbar-dashboard-${file.replace('.json', '')}`);
      expect(map?.metadata.labels).toMatchObject({ grafana_dashboard: '1' });
      expect(map?.['data']).toEqual({ [`busbar-${file}`]: readFileSync(join(folder, file), 'utf8') });
    }
  });

  it('has the labels and annotations of the values', () => {
    const maps = dashboardsWith({ labels: { dashboards: 'charging' }, annotations: { folder: 'Charging' } });
    for (const { metadata } of maps) {
      expect(metadata).toMatchObject({ labels: { dashboards: 'charging' }, annotations: { folder: 'Charging' } });
    }
  });
});

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
