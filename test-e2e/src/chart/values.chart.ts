// Tests the effects of the values of every component and of the whole release: placement, names, labels, image, files,
// budgets.
import { basename, dirname, join } from 'node:path';
import { CHART, minimalValues, NAMESPACE, render, renderMongodump, type KubernetesObject, type Values } from './helm';
import {
  environmentOf,
  objectOf,
  podOf,
  podsOf,
  PROCESSES,
  processOf,
  selects,
  specOf,
  type Fields,
  type Pod,
} from './objects';

const DIGEST = `sha256:${'0123456789abcdef'.repeat(4)}`;
const COMPONENTS = [
  ['gateway', 'gateway'],
  ['chargerState', 'charger-state'],
  ['push', 'push'],
  ['v2Api', 'v2-api'],
  ['legacyApi', 'legacy-api'],
  ['allInOne', 'all-in-one'],
] as const;
const LOST_NODE = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];

/** Every kind of pod that the chart has: those of `tryOut`, of backups and of `helm test` too. */
function everyPod(more: Values): readonly KubernetesObject[] {
  return [
    ...render(
      minimalValues({
        broker: { existingSecret: { name: '' } },
        store: { existingSecret: { name: '' } },
        tryOut: { password: 'sixteen-characters', rabbitmq: { enabled: true }, mongodb: { enabled: true } },
        monitoring: {
          serviceMonitor: { enabled: true },
          rules: { enabled: true },
          dashboards: { enabled: true },
        },
        ...more,
      }),
    ),
    ...renderMongodump(more),
    ...render({ mode: 'allInOne', backup: { enabled: true }, ...more }),
  ];
}

function rendered(key: string, values: Values): readonly KubernetesObject[] {
  return render(key === 'allInOne' ? { mode: 'allInOne', [key]: values } : minimalValues({ [key]: values }));
}

describe.each(COMPONENTS)('%s', (key, name) => {
  it('places its pods as the values say', () => {
    const affinity = {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: 'disk', operator: 'Exists' }] }],
        },
      },
    };
    const toleration = { key: 'dedicated', operator: 'Equal', value: 'charging', effect: 'NoSchedule' };
    const values = {
      nodeSelector: { disk: 'ssd' },
      affinity,
      tolerations: [toleration],
      priorityClassName: 'important',
    };
    const { spec } = podOf(rendered(key, values), name);
    expect(spec).toMatchObject({ nodeSelector: { disk: 'ssd' }, affinity, priorityClassName: 'important' });
    expect(spec.tolerations?.at(-1)).toEqual(toleration);
    const others = (spec.tolerations ?? []).slice(0, -1).map((each) => each['key']);
    expect(others).toEqual(key === 'allInOne' ? [] : LOST_NODE);
  });

  it('has the annotations and labels of the values on its pods alone, and keeps its own', () => {
    const values = { podAnnotations: { 'example.com/reload': 'broker' }, podLabels: { 'example.com/tier': 'edge' } };
    const objects = rendered(key, values);
    const { annotations, labels, owner } = podOf(objects, name);
    expect(annotations).toMatchObject({
      'example.com/reload': 'broker',
      'checksum/connections': expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    });
    expect(labels).toMatchObject({ 'example.com/tier': 'edge', 'app.kubernetes.io/component': name });
    expect(owner.metadata.annotations).toBeUndefined();
    const others = podsOf(objects).filter((pod) => pod.owner !== owner);
    expect(others.filter(({ labels: theirs }) => 'example.com/tier' in theirs)).toEqual([]);
  });
});

describe.each(COMPONENTS.slice(0, 4))('%s', (key, name) => {
  it('spreads its pods as the values say, in place of the own way of the chart', () => {
    const topologySpread = [
      { maxSkew: 2, topologyKey: 'example.com/rack', whenUnsatisfiable: 'DoNotSchedule', minDomains: 2 },
    ];
    const { spec } = podOf(rendered(key, { topologySpread }), name);
    expect(spec.topologySpreadConstraints).toEqual(topologySpread);
  });

  it('has no disruption budget with pdb.enabled false, and the others have theirs', () => {
    const budgets = rendered(key, { pdb: { enabled: false } }).filter(({ kind }) => kind === 'PodDisruptionBudget');
    const others = PROCESSES.filter((each) => each !== name);
    expect(budgets.map(({ metadata }) => metadata.name).toSorted()).toEqual(
      others.map((each) => `charge-busbar-${each}`).toSorted(),
    );
  });

  it('has pdb.minAvailable in place of maxUnavailable where it leaves a pod to evict', () => {
    const objects = rendered(key, { replicas: 3, pdb: { minAvailable: 2 } });
    const budget = specOf(objectOf(objects, 'PodDisruptionBudget', `-${name}`));
    expect(budget).toMatchObject({ minAvailable: 2, unhealthyPodEvictionPolicy: 'AlwaysAllow' });
    expect(budget).not.toHaveProperty('maxUnavailable');
  });
});

describe('the labels and annotations of the whole release', () => {
  const objects = everyPod({
    commonLabels: { team: 'charging' },
    commonAnnotations: { 'example.com/owner': 'charging' },
  });

  it('adds them to every object', () => {
    for (const { kind, metadata } of objects) {
      expect([kind, metadata.name, metadata.labels, metadata.annotations]).toEqual([
        kind,
        metadata.name,
        expect.objectContaining({ team: 'charging', 'app.kubernetes.io/part-of': 'busbar' }),
        expect.objectContaining({ 'example.com/owner': 'charging' }),
      ]);
    }
  });

  it('adds them to every pod, and uses none to select', () => {
    const pods = podsOf(objects).filter(({ owner }) => owner.kind !== 'Pod');
    expect(pods.length).toBeGreaterThan(7);
    for (const { owner, labels, annotations } of pods) {
      expect([owner.metadata.name, labels['team'], annotations['example.com/owner']]).toEqual([
        owner.metadata.name,
        'charging',
        'charging',
      ]);
      expect(JSON.stringify(specOf(owner)['selector'] ?? {})).not.toContain('team');
    }
  });
});

describe('image', () => {
  const own = (objects: readonly KubernetesObject[]): readonly (readonly [string, string])[] =>
    podsOf(objects)
      .filter(({ owner }) => !/-(?:rabbitmq|mongodb|mongodump)$/.test(owner.metadata.name))
      .flatMap(({ owner, spec }) =>
        [...spec.containers, ...(spec.initContainers ?? [])].map(
          ({ name, image }) => [`${owner.metadata.name} ${name}`, image] as const,
        ),
      );

  it.each([
    ['the digest in place of the tag', { tag: '1.2.3', digest: DIGEST }, `registry.example.com/busbar@${DIGEST}`],
    ['the tag', { tag: '1.2.3' }, 'registry.example.com/busbar:1.2.3'],
  ] as const)('has %s for every container of Busbar', (_what, image, expected) => {
    const images = own(everyPod({ image: { repository: 'registry.example.com/busbar', ...image } }));
    expect(images.map(([, each]) => each)).toEqual(images.map(() => expected));
    // Five services, the one process and its sidecar, `helm test` of both.
    expect(images).toHaveLength(9);
  });

  it('is pulled with the Secrets and by the policy of the values', () => {
    const objects = everyPod({ image: { pullSecrets: ['registry', 'mirror'], pullPolicy: 'Always' } });
    for (const name of [...PROCESSES, 'all-in-one', 'smoke']) {
      const pod = podOf(objects, name);
      expect(pod.spec['imagePullSecrets']).toEqual([{ name: 'registry' }, { name: 'mirror' }]);
      expect(processOf(pod)).toMatchObject({ imagePullPolicy: 'Always' });
    }
  });
});

describe('names', () => {
  it.each([
    ['nameOverride', { nameOverride: 'csms' }, 'charge-csms', 'csms'],
    ['fullnameOverride', { fullnameOverride: 'chargers' }, 'chargers', 'busbar'],
    ['both', { nameOverride: 'csms', fullnameOverride: 'chargers' }, 'chargers', 'csms'],
    ['a long override', { fullnameOverride: 'c'.repeat(60) }, 'c'.repeat(40), 'busbar'],
  ] as const)('begins names as %s says, and they fit together', (_what, values, fullname, name) => {
    const objects = everyPod({ ...values, monitoring: { serviceMonitor: { enabled: true } } });
    for (const { metadata } of objects) {
      expect(metadata.name === fullname || metadata.name.startsWith(`${fullname}-`)).toBe(true);
      expect(metadata.labels).toMatchObject({ 'app.kubernetes.io/instance': 'charge' });
    }
    const services = render(minimalValues({ ...values, monitoring: { serviceMonitor: { enabled: true } } }));
    const account = objectOf(services, 'ServiceAccount').metadata.name;
    for (const component of PROCESSES) {
      const pod = podOf(services, component);
      expect(pod.labels['app.kubernetes.io/name']).toBe(name);
      expect(pod.spec['serviceAccountName']).toBe(account);
      const { selector } = specOf(objectOf(services, 'Service', `-${component}-metrics`));
      expect(selects(selector as Readonly<Record<string, string>>, pod.labels)).toBe(true);
    }
    const asked = (processOf(podOf(services, 'smoke')).command ?? []).join(' ').matchAll(/\/\/([^:/,]+)/g);
    const named = new Set(services.filter(({ kind }) => kind === 'Service').map(({ metadata }) => metadata.name));
    for (const [, host = ''] of asked) expect([...named]).toContain(host);
    const monitor = specOf(objectOf(services, 'ServiceMonitor'))['selector'] as { matchLabels: Record<string, string> };
    expect(monitor.matchLabels).toMatchObject({ 'app.kubernetes.io/name': name });
  });
});

describe('extraObjects', () => {
  const objects = render(join(CHART, 'ci/proxied-values.yaml'));

  it('renders them as templates, given as YAML or as text', () => {
    expect(objectOf(objects, 'ConfigMap', '-extra')).toMatchObject({
      metadata: { name: 'charge-busbar-extra' },
      data: { release: 'charge' },
    });
    expect(objectOf(objects, 'ConfigMap', '-text').metadata.name).toBe('charge-text');
    const other = '{ apiVersion: v1, kind: ConfigMap, metadata: { name: a, namespace: "{{ .Release.Namespace }}" } }';
    expect(objectOf(render(minimalValues({ extraObjects: [other] })), 'ConfigMap').metadata.namespace).toBe(NAMESPACE);
  });
});

describe('files from Secrets', () => {
  const every: readonly string[] = PROCESSES;
  const withoutGateway = every.filter((name) => name !== 'gateway');
  const apis = ['v2-api', 'legacy-api'];

  it.each([
    {
      what: 'broker.caSecret',
      values: { broker: { caSecret: { name: 'rabbit-ca', key: 'authority.pem' } } },
      of: every,
      files: { BROKER_CA_FILE: ['rabbit-ca', 'authority.pem', '/secrets/broker-ca/ca.crt'] },
    },
    {
      what: 'store.caSecret',
      values: { store: { caSecret: { name: 'mongo-ca', key: 'authority.pem' } } },
      of: withoutGateway,
      files: { STORE_CA_FILE: ['mongo-ca', 'authority.pem', '/secrets/store-ca/ca.crt'] },
    },
    {
      what: 'broker.clientCertificateSecret',
      values: { broker: { clientCertificateSecret: 'rabbit-client' } },
      of: every,
      files: {
        BROKER_CERT_FILE: ['rabbit-client', 'tls.crt', '/secrets/broker-client/tls.crt'],
        BROKER_KEY_FILE: ['rabbit-client', 'tls.key', '/secrets/broker-client/tls.key'],
      },
    },
    {
      what: 'tls.clientCa',
      values: {
        tls: {
          certificate: { existingSecret: 'tls' },
          clientCa: { existingSecret: 'charger-authorities', key: 'authority.pem' },
        },
      },
      of: ['gateway'],
      files: { TLS_CLIENT_CA_FILE: ['charger-authorities', 'authority.pem', '/secrets/client-ca/ca.crt'] },
    },
    {
      what: 'bootstrap with keys.clientName',
      values: { bootstrap: { existingSecret: 'first', keys: { clientId: 'id', apiKey: 'key', clientName: 'name' } } },
      of: apis,
      files: {
        BOOTSTRAP_CLIENT_ID_FILE: ['first', 'id', '/secrets/bootstrap/client-id'],
        BOOTSTRAP_API_KEY_FILE: ['first', 'key', '/secrets/bootstrap/api-key'],
        BOOTSTRAP_CLIENT_NAME_FILE: ['first', 'name', '/secrets/bootstrap/client-name'],
      },
    },
    {
      what: 'bootstrap without keys.clientName',
      values: { bootstrap: { existingSecret: 'first' } },
      of: apis,
      files: {
        BOOTSTRAP_CLIENT_ID_FILE: ['first', 'client-id', '/secrets/bootstrap/client-id'],
        BOOTSTRAP_API_KEY_FILE: ['first', 'api-key', '/secrets/bootstrap/api-key'],
        BOOTSTRAP_CLIENT_NAME_FILE: undefined,
      },
    },
  ])('mounts $what in the processes that read it, and in no other', ({ values, of, files }) => {
    const objects = render(minimalValues(values));
    for (const name of PROCESSES) {
      const pod = podOf(objects, name);
      for (const [variable, file] of Object.entries(files)) {
        const expected = of.includes(name) ? file : undefined;
        expect([name, variable, fileOf(pod, variable)]).toEqual([name, variable, expected]);
      }
    }
  });

  it('mounts tls.clientCa in the one process, also beside the certificate that it makes for itself', () => {
    const clientCa = { existingSecret: 'charger-authorities' };
    const pod = podOf(render({ mode: 'allInOne', tls: { clientCa } }), 'all-in-one');
    expect(fileOf(pod, 'TLS_CLIENT_CA_FILE')).toEqual(['charger-authorities', 'ca.crt', '/secrets/client-ca/ca.crt']);
    expect(processOf(pod).volumeMounts).toContainEqual({
      name: 'client-ca',
      mountPath: '/secrets/client-ca',
      readOnly: true,
    });
    expect(environmentOf(pod)).not.toHaveProperty('TLS_CERT_FILE');
  });

  it('mounts tls.certificate.otherSecrets beside the first certificate, as comma lists in one order', () => {
    const certificate = { existingSecret: 'ecdsa', otherSecrets: ['rsa'] };
    for (const [objects, name] of [
      [render(minimalValues({ tls: { certificate } })), 'gateway'],
      [render({ mode: 'allInOne', tls: { certificate } }), 'all-in-one'],
    ] as const) {
      const pod = podOf(objects, name);
      expect(environmentOf(pod)).toMatchObject({
        TLS_CERT_FILE: '/secrets/tls/tls.crt,/secrets/tls-2/tls.crt',
        TLS_KEY_FILE: '/secrets/tls/tls.key,/secrets/tls-2/tls.key',
      });
      const volumes = pod.spec.volumes?.filter((volume) => volume.name.startsWith('tls')) ?? [];
      expect(volumes.map((volume) => [volume.name, volume.secret?.secretName])).toEqual([
        ['tls', 'ecdsa'],
        ['tls-2', 'rsa'],
      ]);
      expect(processOf(pod).volumeMounts).toContainEqual({
        name: 'tls-2',
        mountPath: '/secrets/tls-2',
        readOnly: true,
      });
    }
  });

  /** The Secret and its key that a variable leads to, and its path in the pod. */
  function fileOf(pod: Pod, variable: string): readonly unknown[] | undefined {
    const path = environmentOf(pod)[variable];
    if (path === undefined) return undefined;
    const folder = basename(dirname(path));
    const secret = pod.spec.volumes?.find(({ name }) => name === folder)?.secret;
    return [secret?.secretName, secret?.items?.find((item) => item.path === basename(path))?.key, path];
  }
});

describe('the one process', () => {
  interface Claim {
    readonly metadata: { readonly name: string };
    readonly spec: Fields;
  }
  const claimsOf = (objects: readonly KubernetesObject[]): readonly Claim[] =>
    specOf(objectOf(objects, 'StatefulSet'))['volumeClaimTemplates'] as readonly Claim[];

  it('requests half a processor and 1 GiB, limits memory alone, and has a heap of 70 % of it', () => {
    const pod = podOf(render({ mode: 'allInOne' }), 'all-in-one');
    expect(processOf(pod).resources).toEqual({ requests: { cpu: '500m', memory: '1Gi' }, limits: { memory: '1Gi' } });
    expect(environmentOf(pod)['NODE_OPTIONS']).toBe('--max-old-space-size=716');
  });

  it('has the volumes of the values, of one pod alone where the storage has that', () => {
    const persistence = { size: '30Gi', storageClass: 'fast', accessMode: 'ReadWriteOncePod' };
    const backup = { enabled: true, persistence: { size: '40Gi', storageClass: 'slow' } };
    const claims = claimsOf(render({ mode: 'allInOne', allInOne: { persistence }, backup }));
    expect(claims.map(({ metadata, spec }) => [metadata.name, spec])).toEqual([
      ['backups', claim('40Gi', 'slow')],
      ['data', claim('30Gi', 'fast')],
    ]);
  });

  function claim(storage: string, storageClassName: string): Fields {
    return { accessModes: ['ReadWriteOncePod'], storageClassName, resources: { requests: { storage } } };
  }
});
