// That the parts fit: selectors and pods, variables and processes, paths and mounts; and that no secret is anywhere.
import { basename, join } from 'node:path';
import { readFileSync } from 'node:fs';
import { CHART, minimalValues, NAMESPACE, render, valueFiles, type KubernetesObject } from './helm';
import { environmentOf, podOf, podsOf, processOf, selects, specOf, type Pod } from './objects';

const PROCESS_OF: Readonly<Record<string, string>> = {
  gateway: 'ocpp-gateway',
  'charger-state': 'charger-state',
  push: 'push',
  'v2-api': 'v2-api',
  'legacy-api': 'legacy-api',
  'all-in-one': 'npm start',
};
/** The variables that Node itself and libraries read. */
const OTHER_VARIABLES = ['NODE_OPTIONS'];
/** The files of Secrets that are mounted whole. */
const FILES_OF_TRY_OUT = ['password', 'rabbitmq.conf'];
const documented = readVariables();

describe.each(valueFiles().map((file) => [basename(file), render(file)] as const))('with %s', (_name, objects) => {
  const pods = podsOf(objects);
  const own = pods.filter(({ labels }) => labels['app.kubernetes.io/name'] === 'busbar');

  it('has one name for one object, in the namespace of the release', () => {
    const names = objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(names).toEqual([...new Set(names)]);
    const elsewhere = objects.filter(({ metadata }) => (metadata.namespace ?? NAMESPACE) !== NAMESPACE);
    expect(elsewhere).toEqual([]);
  });

  it('selects exactly the pods of one component by each Service, disruption budget and workload', () => {
    for (const object of objects) {
      const selector = selectorOf(object);
      if (selector === undefined) continue;
      const found = pods.filter(({ labels }) => selects(selector, labels));
      expect([object.metadata.name, found.map(componentOf)]).toEqual([
        object.metadata.name,
        [selector['app.kubernetes.io/component']],
      ]);
    }
  });

  it('selects exactly its pods by each NetworkPolicy', () => {
    const ofSeveral: Readonly<Record<string, readonly Pod[]>> = { deny: pods, dns: pods, internal: own };
    for (const { kind, metadata, spec } of objects) {
      const [, policy] = /^charge-busbar-(.*)$/.exec(metadata.name) ?? [];
      if (kind !== 'NetworkPolicy' || policy === undefined) continue;
      const { matchLabels } = (spec as { podSelector: { matchLabels: Record<string, string> } }).podSelector;
      const found = pods.filter(({ labels }) => selects(matchLabels, labels)).map(componentOf);
      const expected = ofSeveral[policy] ?? pods.filter((pod) => componentOf(pod) === policy);
      expect([policy, found]).toEqual([policy, expected.map(componentOf)]);
      expect(found).not.toEqual([]);
    }
  });

  it('leads each port of a Service to a port of its pods, and never the internal one', () => {
    for (const service of objects.filter(({ kind }) => kind === 'Service')) {
      const { selector, ports, clusterIP } = specOf(service) as {
        selector: Record<string, string>;
        ports: { targetPort: string }[];
        clusterIP?: string;
      };
      const [pod] = pods.filter(({ labels }) => selects(selector, labels));
      const names = pod === undefined ? [] : (processOf(pod).ports ?? []).map(({ name }) => name);
      for (const { targetPort } of ports) {
        expect(names).toContain(targetPort);
        expect(targetPort === 'internal').toBe(service.metadata.name.endsWith('-metrics') && clusterIP === 'None');
      }
    }
  });

  it('sets only variables that the process reads, to values that it accepts', () => {
    for (const pod of own) {
      const process = PROCESS_OF[componentOf(pod)] ?? '';
      const given = Object.entries(environmentOf(pod)).filter(([name]) => !OTHER_VARIABLES.includes(name));
      for (const [name, value] of given) {
        const variable = documented.get(name) ?? documented.get(name.replace(/_FILE$/, ''));
        expect([name, variable?.readers]).toEqual([name, expect.stringMatching(`every process|${process}`)]);
        expect([name, value, accepts(variable?.expects ?? '', value)]).toEqual([name, value, true]);
      }
    }
  });

  it('mounts each file that a variable names, as a whole folder', () => {
    for (const pod of pods) {
      const variables = pod.spec.containers.flatMap(({ env = [] }) => env).filter(({ name }) => name.endsWith('_FILE'));
      const paths = filesOf(pod);
      for (const { name, value = '' } of variables)
        expect([name, paths]).toEqual([name, expect.arrayContaining(value.split(','))]);
    }
    const mounts = pods.flatMap(({ spec }) => spec.containers.flatMap(({ volumeMounts = [] }) => volumeMounts));
    expect(mounts.filter(({ subPath }) => subPath !== undefined)).toEqual([]);
  });

  it('mounts only volumes that there are', () => {
    for (const { owner, spec } of pods) {
      const claims = (specOf(owner)['volumeClaimTemplates'] ?? []) as readonly { metadata: { name: string } }[];
      const volumes = [...(spec.volumes ?? []).map(({ name }) => name), ...claims.map(({ metadata }) => metadata.name)];
      for (const { volumeMounts = [] } of [...spec.containers, ...(spec.initContainers ?? [])]) {
        expect(volumes).toEqual(expect.arrayContaining(volumeMounts.map(({ name }) => name)));
      }
    }
  });
});

it('shows a secret of the values nowhere but in a Secret', () => {
  const objects = [
    ...render(join(CHART, 'ci/direct-values.yaml')),
    ...render(join(CHART, 'ci/try-out-values.yaml')),
  ].filter(({ kind }) => kind !== 'Secret');
  for (const secret of ['secret-of-broker', 'secret-of-store', 'sixteen-characters']) {
    expect(JSON.stringify(objects)).not.toContain(secret);
  }
});

it('renders no Secret where all of them are foreign', () => {
  expect(render(minimalValues({})).filter(({ kind }) => kind === 'Secret')).toEqual([]);
});

it('reads the URL of RabbitMQ from the Secret of its Cluster Operator', () => {
  const pod = podOf(
    render(minimalValues({ broker: { rabbitmqCluster: 'rabbit', existingSecret: { name: '' } } })),
    'gateway',
  );
  expect(pod.spec.volumes).toMatchObject([
    { secret: { secretName: 'rabbit-default-user', items: [{ key: 'connection_string', path: 'url' }] } },
  ]);
});

it('gives the store to every process but the gateway', () => {
  const objects = render(minimalValues({}));
  expect(environmentOf(podOf(objects, 'gateway'))).not.toHaveProperty('STORE_URL_FILE');
  expect(environmentOf(podOf(objects, 'charger-state'))).toHaveProperty('STORE_URL_FILE', '/secrets/store/url');
});

it('gives PARTITIONS to gateway and charger-state from one value', () => {
  const objects = render(minimalValues({ partitions: 32 }));
  for (const name of ['gateway', 'charger-state']) {
    expect(environmentOf(podOf(objects, name))).toMatchObject({ PARTITIONS: '32' });
  }
});

it('writes large numbers as the process reads them', () => {
  const pod = podOf(
    render(minimalValues({ gateway: { settings: { OCPP_WARN_BYTES_PER_DAY: 1_000_000_000_000 } } })),
    'gateway',
  );
  expect(environmentOf(pod)).toMatchObject({ OCPP_WARN_BYTES_PER_DAY: '1000000000000' });
});

it.each([
  ['kind', ['https://charge-busbar-v2-api:8443', 'wss://charge-busbar-gateway:8443/ocpp', 'localhost']],
  ['production', ['https://charging.example.com', 'wss://charging.example.com/ocpp', undefined]],
  ['eks', ['https://charging.example.com', 'wss://chargers.example.com:8443/ocpp', undefined]],
] as const)('tests %s at its addresses, for the name that the certificate there has', (example, addresses) => {
  const { command = [] } = processOf(podOf(render(join(CHART, 'examples', `${example}.yaml`)), 'smoke'));
  const option = (name: string): string | undefined =>
    command.includes(name) ? command[command.indexOf(name) + 1] : undefined;
  expect(['--v2', '--ocpp', '--host'].map(option)).toEqual(addresses);
});

it('tests the name of the certificate that cert-manager issues', () => {
  const certManager = { issuerRef: { name: 'a' }, dnsNames: ['charging.example.com', 'other.example.com'] };
  const objects = render(minimalValues({ ingress: { trustedProxies: [] }, tls: { certificate: { certManager } } }));
  expect(processOf(podOf(objects, 'smoke')).command).toEqual(
    expect.arrayContaining(['--host', 'charging.example.com']),
  );
});

it('lets a variable of extraEnv replace the heap that it computed', () => {
  const value = '--max-old-space-size=200';
  const pod = podOf(render(minimalValues({ gateway: { extraEnv: [{ name: 'NODE_OPTIONS', value }] } })), 'gateway');
  expect(processOf(pod).env?.filter(({ name }) => name === 'NODE_OPTIONS')).toEqual([{ name: 'NODE_OPTIONS', value }]);
});

function componentOf({ labels }: Pod): string {
  return labels['app.kubernetes.io/component'] ?? '';
}

function selectorOf(object: KubernetesObject): Readonly<Record<string, string>> | undefined {
  const selector = (object['spec'] as Record<string, unknown> | undefined)?.['selector'];
  switch (object.kind) {
    case 'Service':
      return selector as Record<string, string>;
    case 'Deployment':
    case 'StatefulSet':
    case 'PodDisruptionBudget':
      return (selector as { matchLabels: Record<string, string> }).matchLabels;
    default:
      return undefined;
  }
}

/** deploy/env.example, which a test of its own compares with the processes. */
function readVariables(): ReadonlyMap<string, { readonly expects: string; readonly readers: string }> {
  const text = readFileSync(join(CHART, '../../env.example'), 'utf8');
  const entries = text.matchAll(/^# May be: (.*)\. Read by: (.*)\.\n(?:# .*\n)*#([A-Z0-9_]+)=/gm);
  return new Map([...entries].map(([, expects = '', readers = '', name = '']) => [name, { expects, readers }]));
}

/** Returns what such a text requires of numbers. */
function accepts(expects: string, value: string): boolean {
  const [, min, max] = /whole number from (\d+) to (\d+)/.exec(expects) ?? [];
  return min === undefined || (Number(value) >= Number(min) && Number(value) <= Number(max));
}

/** The paths of the files of Secrets that a pod mounts. */
function filesOf({ spec }: Pod): readonly string[] {
  const mounts = spec.containers.flatMap(({ volumeMounts = [] }) => volumeMounts);
  return mounts.flatMap(({ name, mountPath }) => {
    const secret = spec.volumes?.find((volume) => volume.name === name)?.secret;
    const paths = secret?.items?.map(({ path }) => path) ?? FILES_OF_TRY_OUT;
    return secret === undefined ? [] : paths.map((path) => `${mountPath}/${path}`);
  });
}
