// Tests the workloads: their number, their start and stop, and their protection.
import { join } from 'node:path';
import { CHART, minimalValues, render, type KubernetesObject } from './helm';
import { environmentOf, objectOf, podOf, podsOf, PROCESSES, processOf, specOf, type Fields } from './objects';

const services = render(minimalValues({}));
const together = render({ mode: 'allInOne', gateway: { passthrough: { enabled: true } }, backup: { enabled: true } });
const everything = [
  ...render(join(CHART, 'ci/proxied-values.yaml')),
  ...render(join(CHART, 'ci/try-out-values.yaml')),
  ...together,
];

const SURGE_ONE = { maxSurge: 1, maxUnavailable: 0 };
const SURGE_QUARTER = { maxSurge: '25%', maxUnavailable: 0 };

describe.each([
  {
    name: 'gateway',
    strategy: SURGE_ONE,
    minReady: 70,
    grace: 100,
    timeout: '80',
    cpu: '250m',
    memory: '512Mi',
    heap: 358,
  },
  {
    name: 'charger-state',
    strategy: SURGE_ONE,
    minReady: 10,
    grace: 30,
    timeout: '10',
    cpu: '500m',
    memory: '768Mi',
    heap: 537,
  },
  {
    name: 'push',
    strategy: SURGE_ONE,
    minReady: 5,
    grace: 35,
    timeout: '15',
    cpu: '250m',
    memory: '512Mi',
    heap: 358,
  },
  ...['v2-api', 'legacy-api'].map((name) => ({
    name,
    strategy: SURGE_QUARTER,
    minReady: 5,
    grace: 30,
    timeout: '10',
    cpu: '100m',
    memory: '256Mi',
    heap: 179,
  })),
])('$name', ({ name, strategy, minReady, grace, timeout, cpu, memory, heap }) => {
  const pod = podOf(services, name);

  it('is a Deployment of two replicas', () => {
    expect(pod.owner.kind).toBe('Deployment');
    expect(specOf(pod.owner)['replicas']).toBe(2);
  });

  it('replaces its pods without ever being fewer', () => {
    expect(specOf(pod.owner)['strategy']).toEqual({ type: 'RollingUpdate', rollingUpdate: strategy });
  });

  it('has time to start and to stop', () => {
    expect(specOf(pod.owner)).toMatchObject({ minReadySeconds: minReady });
    expect(specOf(pod.owner)['progressDeadlineSeconds']).toBe(600 + minReady + grace);
    expect(pod.spec.terminationGracePeriodSeconds).toBe(grace);
    expect(environmentOf(pod)).toMatchObject({ SHUTDOWN_DELAY_S: '10', SHUTDOWN_TIMEOUT_S: timeout });
  });

  it('lets one pod be evicted at a time, and any that is not ready', () => {
    expect(specOf(objectOf(services, 'PodDisruptionBudget', `-${name}`))).toMatchObject({
      maxUnavailable: 1,
      unhealthyPodEvictionPolicy: 'AlwaysAllow',
    });
  });

  it('spreads over zones and hosts, counting the pods of one version', () => {
    expect(pod.spec.topologySpreadConstraints).toEqual(
      ['topology.kubernetes.io/zone', 'kubernetes.io/hostname'].map((topologyKey) => ({
        topologyKey,
        maxSkew: 1,
        whenUnsatisfiable: 'ScheduleAnyway',
        labelSelector: specOf(pod.owner)['selector'],
        matchLabelKeys: ['pod-template-hash'],
      })),
    );
  });

  it('leaves a lost node after 30 seconds', () => {
    const common = { operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 30 };
    expect(pod.spec.tolerations).toEqual([
      { key: 'node.kubernetes.io/not-ready', ...common },
      { key: 'node.kubernetes.io/unreachable', ...common },
    ]);
  });

  it('requests CPU and memory, limits memory alone, and has a heap of 70 % of it', () => {
    expect(processOf(pod).resources).toEqual({ requests: { cpu, memory }, limits: { memory } });
    expect(environmentOf(pod)['NODE_OPTIONS']).toBe(`--max-old-space-size=${String(heap)}`);
  });
});

describe('the one process', () => {
  const pod = podOf(together, 'all-in-one');
  const spec = specOf(pod.owner);

  it('is one pod that ends before the next one starts', () => {
    expect(pod.owner.kind).toBe('StatefulSet');
    expect(spec).toMatchObject({ replicas: 1, updateStrategy: { type: 'RollingUpdate' }, minReadySeconds: 0 });
    expect(together.filter(({ kind }) => kind === 'PodDisruptionBudget')).toEqual([]);
    expect(pod.spec.topologySpreadConstraints).toBeUndefined();
    expect(pod.spec.tolerations).toBeUndefined();
  });

  it('has time to close its sockets', () => {
    expect(environmentOf(pod)).toMatchObject({ DRAIN_S: '0', SHUTDOWN_TIMEOUT_S: '20', HOST: '0.0.0.0' });
    expect(pod.spec.terminationGracePeriodSeconds).toBe(40);
  });

  it('keeps its data and its backups when it is uninstalled', () => {
    expect(spec['persistentVolumeClaimRetentionPolicy']).toEqual({ whenDeleted: 'Retain', whenScaled: 'Retain' });
    const claims = spec['volumeClaimTemplates'] as readonly { metadata: { name: string }; spec: Fields }[];
    expect(claims.map(({ metadata, spec: { accessModes } }) => [metadata.name, accessModes])).toEqual([
      ['backups', ['ReadWriteOnce']],
      ['data', ['ReadWriteOnce']],
    ]);
    expect(processOf(pod).volumeMounts).toContainEqual({ name: 'data', mountPath: '/app/data' });
  });

  it('has a native sidecar that makes backups', () => {
    expect(pod.spec.initContainers).toMatchObject([
      {
        restartPolicy: 'Always',
        command: ['node', 'tools/admin/dist/main.js', 'backup-every', '24', '--keep', '7', '/backups'],
      },
    ]);
  });
});

describe('every process', () => {
  it.each([...PROCESSES, 'all-in-one'])('is probed by HTTP at its internal port: %s', (name) => {
    const container = processOf(podOf([...services, ...together], name));
    expect(container).toMatchObject({
      startupProbe: { httpGet: { path: '/livez', port: 'internal' }, periodSeconds: 2, failureThreshold: 30 },
      livenessProbe: {
        httpGet: { path: '/livez', port: 'internal' },
        periodSeconds: 10,
        timeoutSeconds: 5,
        failureThreshold: 6,
      },
      readinessProbe: {
        httpGet: { path: '/readyz', port: 'internal' },
        periodSeconds: 2,
        timeoutSeconds: 2,
        failureThreshold: 2,
      },
    });
    expect(JSON.stringify(container)).not.toContain('initialDelaySeconds');
    expect(container.ports).toContainEqual({ name: 'internal', containerPort: 9090, protocol: 'TCP' });
  });

  it('computes the times of a gateway from another delay and another DRAIN_S', () => {
    const pod = podOf(
      render(minimalValues({ shutdown: { delaySeconds: 20 }, gateway: { settings: { DRAIN_S: 120 } } })),
      'gateway',
    );
    expect(specOf(pod.owner)['minReadySeconds']).toBe(140);
    expect(pod.spec.terminationGracePeriodSeconds).toBe(170);
    expect(environmentOf(pod)).toMatchObject({ SHUTDOWN_DELAY_S: '20', DRAIN_S: '120', SHUTDOWN_TIMEOUT_S: '140' });
  });

  it.each([
    ['512Mi', 'plain', 15_000],
    ['512Mi', 'TLS', 5_000],
    ['1Gi', 'TLS', 15_000],
    ['2Gi', 'TLS', 15_000],
    ['300Mi', 'plain', 5_000],
  ])('has as many connections as fit into %s (%s)', (memory, kind, connections) => {
    const tls = kind === 'TLS' ? { certificate: { existingSecret: 'tls' } } : {};
    const values = minimalValues({ tls, gateway: { resources: { limits: { memory } } } });
    expect(environmentOf(podOf(render(values), 'gateway'))['OCPP_MAX_CONNECTIONS']).toBe(String(connections));
  });

  it('stops before the new version starts with upgradeStrategy stop, gateways last', () => {
    const stopping = render(minimalValues({ upgradeStrategy: 'stop' }));
    for (const name of PROCESSES) {
      expect(specOf(podOf(stopping, name).owner)['strategy']).toEqual({ type: 'Recreate' });
    }
    // All are stopped at once, and gateways drain for longer than the others may take.
    const { SHUTDOWN_DELAY_S, DRAIN_S } = environmentOf(podOf(stopping, 'gateway'));
    for (const name of PROCESSES.slice(1)) {
      const { spec } = podOf(stopping, name);
      expect(Number(SHUTDOWN_DELAY_S) + Number(DRAIN_S)).toBeGreaterThan(spec.terminationGracePeriodSeconds ?? 0);
    }
  });

  it('waits by itself for what it needs: there are no init containers but native sidecars', () => {
    const init = podsOf(everything).flatMap(({ spec }) => spec.initContainers ?? []);
    expect(init.filter(({ restartPolicy }) => restartPolicy !== 'Always')).toEqual([]);
  });
});

describe('every pod', () => {
  const pods = podsOf(everything).map((pod) => [`${pod.owner.kind} ${pod.owner.metadata.name}`, pod] as const);

  it.each(pods)('fits the security level restricted: %s', (_name, pod) => {
    expect(pod.spec).toMatchObject({ automountServiceAccountToken: false, enableServiceLinks: false });
    expect(pod.spec['serviceAccountName']).toBeDefined();
    expect(pod.spec.securityContext).toMatchObject({
      runAsNonRoot: true,
      runAsUser: isOfOthers(pod.owner) ? 999 : 1000,
      runAsGroup: isOfOthers(pod.owner) ? 999 : 1000,
      fsGroup: isOfOthers(pod.owner) ? 999 : 1000,
      fsGroupChangePolicy: 'OnRootMismatch',
      seccompProfile: { type: 'RuntimeDefault' },
    });
    for (const { securityContext } of [...pod.spec.containers, ...(pod.spec.initContainers ?? [])]) {
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
    }
  });

  it.each(pods)('limits its memory: %s', (_name, pod) => {
    for (const { resources } of [...pod.spec.containers, ...(pod.spec.initContainers ?? [])]) {
      expect(resources.limits?.['memory']).toBeDefined();
      expect(resources.requests?.['cpu']).toBeDefined();
    }
  });

  it('has no Role: nothing but a ServiceAccount of its own', () => {
    expect(everything.filter(({ kind }) => /Role/.test(kind))).toEqual([]);
  });

  it('starts again when what the chart rendered for it changes, and only then', () => {
    const url = (password: string): string => `amqp://user:${password}@rabbit/`;
    const checksum = (values: Fields): string | undefined =>
      podOf(render(minimalValues(values)), 'gateway').annotations['checksum/connections'];
    const one = { broker: { url: url('one'), existingSecret: { name: '' } } };
    const other = { broker: { url: url('other'), existingSecret: { name: '' } } };
    expect(checksum(one)).not.toBe(checksum(other));
    expect(checksum(one)).toBe(checksum({ ...one, ingress: { annotations: { a: 'b' } } }));
  });
});

/** The official images of RabbitMQ and MongoDB have a user of their own. */
function isOfOthers(owner: KubernetesObject): boolean {
  return /-(rabbitmq|mongodb)$/.test(owner.metadata.name);
}
