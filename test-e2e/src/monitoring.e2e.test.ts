// Alerts, dashboards, autoscalers and documents: the metrics that they name exist, none is unknown to the documents, and each alert says what to do.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { SCHEMA_VERSION } from '@busbar/runtime';
import { eventually } from '@busbar/testing';
import { http } from './harness/http';
import { inBothWorlds } from './harness/in-both-worlds';
import {
  labelsIn,
  metricsIn,
  readAlerts,
  readDocumentedMetrics,
  readExpressions,
  readKubernetesAlerts,
  readRabbitAlerts,
  samplesIn,
} from './harness/monitoring-names';
import { connect, legacy, readV2, registerCharger, v2, type World } from './harness/world';

const ROOT = join(__dirname, '../..');
/** Labels that Prometheus adds to every sample, as the monitors of the chart configure it. */
const OF_PROMETHEUS = ['instance', 'job', 'namespace', 'pod', 'release', 'service'];
const expressions = readExpressions();
const alerts = [...readAlerts(), ...readKubernetesAlerts(), ...readRabbitAlerts()];

const PROSE = ['deploy/chart/busbar/README.md', 'deploy/README.md', 'docs/runbook.md', 'docs/operations.md'];

it.each(PROSE)('names no metric in %s that the tables do not have', (file) => {
  const named = readFileSync(join(ROOT, file), 'utf8').match(/\bbusbar_[a-z_]+/g) ?? [];
  const known = new Set(readDocumentedMetrics());
  const unknown = named.filter((name) => !known.has(name) && !known.has(name.replace(/_(?:bucket|count|sum)$/, '')));
  expect(unknown).toEqual([]);
});

describe('each alert', () => {
  const [, ...entries] = readFileSync(join(ROOT, 'docs/runbook.md'), 'utf8').split('\n## ');
  const runbook = new Map(entries.map((entry) => [entry.slice(0, entry.indexOf('\n')), entry]));

  it.each(alerts.map((alert) => [alert.alert, alert] as const))('says what to do: %s', (name, alert) => {
    const { summary, description, runbook_url: url } = alert.annotations;
    expect(['page', 'ticket']).toContain(alert.labels.severity);
    expect(summary).toMatch(/^[A-Z].*[^.]$/);
    expect(description).toContain('{{ $value');
    // The anchor that Markdown gives to a heading.
    expect(url).toBe(`docs/runbook.md#${name.toLowerCase()}`);
    expect(runbook.get(name)).toMatch(
      /^\w+\n\n\S.*\.\n\n- \*\*Chargers:\*\* .*\n- \*\*Look at:\*\* .*\n- \*\*Do:\*\* /s,
    );
  });

  it('has an entry of its own in the runbook, and each entry an alert', () => {
    const names = [...runbook.keys()].filter((heading) => heading !== 'Without an alert');
    expect(names.toSorted()).toEqual(alerts.map(({ alert }) => alert).toSorted());
  });

  it('leads to entries that exist, where an entry of the runbook names another', () => {
    const named = entries.flatMap((entry) => [...entry.matchAll(/\[(Busbar\w+)\]\(#(\w+)\)/g)]);
    expect(named.filter(([, name = '', anchor]) => !runbook.has(name) || anchor !== name.toLowerCase())).toEqual([]);
  });

  const isThere = spawnSync('promtool', ['--version']).error === undefined;
  (isThere || process.env['REQUIRE_REAL_SERVERS'] === '1' ? it : it.skip)('is one that Prometheus accepts', () => {
    for (const what of [
      ['check', 'rules', '../chart/busbar/files/alerts.yml'],
      ['check', 'rules', '../chart/busbar/files/alerts-kubernetes.yml'],
      ['check', 'rules', '../chart/busbar/files/alerts-rabbitmq.yml'],
      ['check', 'config', 'prometheus.yml'],
    ]) {
      execFileSync('promtool', what, { cwd: join(ROOT, 'deploy/monitoring'), stdio: 'pipe' });
    }
  });
});

inBothWorlds((world) => {
  it('finds every metric and label that alerts, dashboards and autoscalers name in the processes', async () => {
    const { chargerId } = await registerCharger(world());
    const charger = await connect(world(), chargerId);
    await charger.boot();
    await eventually(async () => (await readV2(world(), chargerId)).activeConnection);
    // Deviations and refused CALLs have labels only once there are some.
    await charger.call('NoSuchAction', {});
    await charger.status(1, 'Available', { timestamp: '2026-01-02T03:04:05' });
    await v2(world(), `/chargers/${chargerId}/start-charging`, { method: 'POST', body: { socketId: 1, rfidTag: 'T' } });
    await legacy(world(), `/charger/${chargerId}`);
    await eventually(async () => {
      const samples = samplesIn((await metricsOf(world())).join('\n'));
      const missing = expressions.flatMap((expression) => {
        const metrics = metricsIn(expression);
        const labels = new Set([...OF_PROMETHEUS, ...metrics.flatMap((name) => [...(samples.get(name) ?? [])])]);
        return [
          ...metrics.filter((name) => !samples.has(name)),
          ...labelsIn(expression)
            .filter((label) => !labels.has(label))
            .map((label) => `${expression.where}: label ${label} of ${metrics.join(', ')}`),
        ];
      });
      expect(missing).toEqual([]);
      return true;
    });
    await charger.close();
  });

  it('shows the metrics that the tables of the documents name, and no others', async () => {
    const texts = await metricsOf(world());
    const shown = texts.flatMap((text) => [...text.matchAll(/^# TYPE (busbar_\S+)/gm)].map(([, name = '']) => name));
    expect([...new Set(shown)].toSorted()).toEqual(readDocumentedMetrics().toSorted());
  });

  it('shows version and schema in every process', async () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    for (const url of world().addresses().metrics) {
      const [line = ''] = linesOf((await http(url)).text, 'busbar_build_info');
      expect(line).toContain(`version="${version}",schema="${String(SCHEMA_VERSION)}",`);
      expect(line).toMatch(/ 1$/);
    }
  });

  it('shows requests of both APIs by route template', async () => {
    const { chargerId } = await registerCharger(world());
    await v2(world(), `/chargers/${chargerId}`);
    await legacy(world(), `/charger/${chargerId}`);
    await eventually(async () => {
      const counts = (await metricsOf(world())).flatMap((text) =>
        linesOf(text, 'busbar_http_request_duration_seconds_count'),
      );
      const shown = counts.map((line) => /\{(.*)\}/.exec(line)?.[1]);
      expect(shown).toContain('api="v2-api",route="/chargers/:chargerId",method="GET",status="200"');
      expect(shown).toContain('api="legacy-api",route="/charger/:chargerId",method="GET",status="200"');
      return true;
    });
  });

  it('shows when the certificate of each public port ends', async () => {
    const { v2: url, metrics } = world().addresses();
    const shown = (await metricsOf(world())).flatMap((text) => linesOf(text, 'busbar_tls_certificate_expiry_seconds'));
    // charger-state has no public port.
    expect(shown).toHaveLength(metrics.length === 1 ? 1 : 3);
    const ends = await certificateEnd(new URL(url));
    expect(new Set(shown)).toEqual(new Set([`busbar_tls_certificate_expiry_seconds ${String(ends.getTime() / 1000)}`]));
  });
});

function metricsOf(world: World): Promise<readonly string[]> {
  return Promise.all(world.addresses().metrics.map(async (url) => (await http(url)).text));
}

function linesOf(text: string, name: string): readonly string[] {
  return text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
}

function certificateEnd({ hostname: host, port }: URL): Promise<Date> {
  return new Promise((resolve, reject) => {
    const socket = connectTls({ host, port: Number(port), rejectUnauthorized: false }, () => {
      resolve(new Date(socket.getPeerCertificate().valid_to));
      socket.destroy();
    });
    socket.once('error', reject);
  });
}

it('reads the names of expressions', () => {
  const expression = { where: 'x', text: 'sum by (a, le) (rate(busbar_b_total{c="1",d=~"2"}[5m]))', shown: ['e'] };
  expect(metricsIn(expression)).toEqual(['busbar_b_total']);
  expect(labelsIn(expression).toSorted()).toEqual(['a', 'c', 'd', 'e', 'le']);
});
