// Ten gateways over three zones. The nodes and what their pods do are kwok's; the scheduler and the controllers are real.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@busbar/testing';
import { stringify } from 'yaml';
import { CHART, type Values } from '../chart/helm';
import { startPart, type Part } from './part';
import { helmIn, isReady, RELEASE, SERVICES, type Pod } from './release';
import { restrictedNamespace } from './servers';
import { surroundings } from './surroundings';
import { explain, type World } from './world';

const TEST_MS = 600_000;
const SPREAD_MS = 120_000;
const NAMESPACE = 'many-nodes';
const ZONES = ['east', 'middle', 'west'];
const NODES_OF_ZONE = 2;
const GATEWAYS = 10;
const KWOK = { 'kwok.x-k8s.io/node': 'fake' };
const ON_KWOK: Values = {
  nodeSelector: { played: 'by-kwok' },
  tolerations: [{ key: 'played', operator: 'Exists', effect: 'NoSchedule' }],
};
const VALUES: Values = {
  ...SERVICES,
  gateway: { ...ON_KWOK, replicas: GATEWAYS, settings: { OCPP_MAX_CONNECTIONS: 500, DRAIN_S: 5 } },
  chargerState: ON_KWOK,
  v2Api: ON_KWOK,
  legacyApi: ON_KWOK,
};

export function manyNodes(open: () => World): void {
  describe('ten gateways on six nodes in three zones', () => {
    let kwok: Part;
    beforeAll(async () => (kwok = await startNodes(open())), TEST_MS);
    afterAll(async () => {
      await kwok.end('SIGKILL');
      await open().cluster.api.kubectl(['delete', 'nodes', '--selector=played=by-kwok']);
    }, TEST_MS);

    it(
      'spreads them evenly over zones and nodes, also after an upgrade, and evicts one at a time',
      async () => {
        const { cluster } = open();
        const helm = helmIn(cluster.kubeconfig, NAMESPACE);
        const values = join(surroundings().directory, 'many-nodes.yaml');
        writeFileSync(values, stringify(VALUES));
        await cluster.api.kubectl(['apply', '-f', '-'], restrictedNamespace(NAMESPACE));
        await helm('install', CHART, '--values', values, '--wait', '--timeout', '120s');
        try {
          await expectEvenSpread(open());
          const changed = ['--set', 'gateway.settings.OCPP_PING_INTERVAL_S=7'];
          await helm('upgrade', CHART, '--values', values, ...changed, '--wait', '--timeout', '280s');
          await expectEvenSpread(open());
          await eventually(async () => (await allowedEvictions(open())) === 1);
        } catch (error) {
          await explain(cluster);
          throw error;
        } finally {
          await helm('uninstall');
        }
      },
      TEST_MS,
    );
  });
}

async function startNodes({ cluster }: World): Promise<Part> {
  const directory = process.env['KWOK'] ?? '';
  const config = join(surroundings().directory, 'stages.yaml');
  // Its nodes report every 20 to 25 s; the cluster takes one for lost that is silent for 20 s. Leases are off: kwok's updates of
  // them conflict with each other.
  const stages = readFileSync(join(directory, 'stages.yaml'), 'utf8');
  writeFileSync(config, stages.replaceAll(/urationMilliseconds: 2[05]000$/gm, 'urationMilliseconds: 5000'));
  const kwok = startPart({
    name: 'kwok',
    command: [
      ...[join(directory, 'kwok'), '--kubeconfig', cluster.kubeconfig, '--config', config],
      ...['--manage-nodes-with-annotation-selector', 'kwok.x-k8s.io/node=fake', '--node-lease-duration-seconds', '0'],
    ] as [string, ...string[]],
    logFile: join(surroundings().directory, 'kwok.log'),
  });
  const items = ZONES.flatMap((zone) =>
    Array.from({ length: NODES_OF_ZONE }, (_, n) => nodeIn(zone, `${zone}-${String(n + 1)}`)),
  );
  await cluster.api.kubectl(['apply', '-f', '-'], { apiVersion: 'v1', kind: 'List', items });
  const names = items.map(({ metadata }) => `node/${metadata.name}`);
  await cluster.api.kubectl(['wait', ...names, '--for=condition=Ready', '--timeout=60s']).catch((error: unknown) => {
    throw new Error(kwok.output(), { cause: error });
  });
  return kwok;
}

function nodeIn(zone: string, name: string) {
  const labels = { 'kubernetes.io/hostname': name, 'topology.kubernetes.io/zone': zone, played: 'by-kwok' };
  const resources = { cpu: '32', memory: '256Gi', pods: '110' };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels, annotations: KWOK },
    // Pods of other tests are not scheduled here.
    spec: { taints: [{ key: 'played', value: 'by-kwok', effect: 'NoSchedule' }] },
    status: { allocatable: resources, capacity: resources },
  };
}

async function expectEvenSpread(world: World): Promise<void> {
  const gateways = await eventually(async () => {
    const pods = await gatewaysOf(world);
    return pods.length === GATEWAYS && pods.every(isReady) && pods;
  }, SPREAD_MS);
  const nodes = gateways.map(({ spec }) => spec.nodeName ?? '');
  const ofZones = ZONES.map((zone) => nodes.filter((node) => node.startsWith(`${zone}-`)).length);
  expect(Math.max(...ofZones) - Math.min(...ofZones)).toBeLessThanOrEqual(1);
  expect(new Set(nodes).size).toBe(ZONES.length * NODES_OF_ZONE);
}

async function gatewaysOf({ cluster }: World): Promise<readonly Pod[]> {
  const selector = encodeURIComponent(`app.kubernetes.io/instance=${RELEASE},app.kubernetes.io/component=gateway`);
  const path = `/api/v1/namespaces/${NAMESPACE}/pods?labelSelector=${selector}`;
  return (await cluster.api.get<{ items: Pod[] }>(path)).items;
}

async function allowedEvictions({ cluster }: World): Promise<number> {
  const path = `/apis/policy/v1/namespaces/${NAMESPACE}/poddisruptionbudgets/${RELEASE}-gateway`;
  const { status } = await cluster.api.get<{ status: { disruptionsAllowed: number } }>(path);
  return status.disruptionsAllowed;
}
