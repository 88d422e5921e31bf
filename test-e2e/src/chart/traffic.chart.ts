// The ways in for chargers and API clients, and what is never exposed.
import { join } from 'node:path';
import { CHART, minimalValues, render, type KubernetesObject, type Values } from './helm';
import { environmentOf, objectOf, podOf, specOf, type Fields } from './objects';

const CERTIFICATE = { certificate: { existingSecret: 'charging-tls' } };
const everything = render(join(CHART, 'ci/proxied-values.yaml'));

describe('a process behind a proxy', () => {
  const objects = render(minimalValues({}));

  it.each(['gateway', 'v2-api', 'legacy-api'])('serves plain HTTP to the trusted proxies: %s', (name) => {
    expect(environmentOf(podOf(objects, name))).toMatchObject({
      TLS: 'off',
      PORT: '8080',
      TRUSTED_PROXIES: '10.244.0.0/16',
    });
    expect(portsOf(objectOf(objects, 'Service', `-${name}`))).toEqual(['http:8080']);
  });

  it('trusts every network of the values', () => {
    const values = minimalValues({ ingress: { trustedProxies: ['10.1.0.0/16', '10.2.0.0/16'] } });
    expect(environmentOf(podOf(render(values), 'v2-api'))['TRUSTED_PROXIES']).toBe('10.1.0.0/16,10.2.0.0/16');
  });
});

describe('a process without a proxy', () => {
  const objects = render(minimalValues({ ingress: { trustedProxies: [] }, tls: CERTIFICATE }));

  it.each(['gateway', 'v2-api', 'legacy-api'])('ends TLS itself: %s', (name) => {
    const environment = environmentOf(podOf(objects, name));
    expect(environment).toMatchObject({ TLS: 'on', PORT: '8443', TLS_CERT_FILE: '/secrets/tls/tls.crt' });
    expect(environment).not.toHaveProperty('TRUSTED_PROXIES');
    expect(portsOf(objectOf(objects, 'Service', `-${name}`))).toEqual(['https:8443']);
  });
});

describe('ingress', () => {
  const ingress = objectOf(everything, 'Ingress');

  it('leads each path to the service that has it', () => {
    expect(routesOf(ingress)).toEqual([
      'charging.example.com/ocpp → gateway',
      'charging.example.com/v2 → v2-api',
      'charging.example.com/console → v2-api',
      'charging.example.com/api → legacy-api',
      'api.example.com/v2 → v2-api',
      'api.example.com/console → v2-api',
      'api.example.com/api → legacy-api',
    ]);
  });

  it('has the class, the certificates and the annotations of the values', () => {
    expect(specOf(ingress)).toMatchObject({
      ingressClassName: 'nginx',
      tls: [{ hosts: ['charging.example.com', 'api.example.com'], secretName: 'charging-tls' }],
    });
    expect(ingress.metadata.annotations).toMatchObject({ 'nginx.ingress.kubernetes.io/proxy-read-timeout': '86400' });
  });

  it('leads every path of the one process to it', () => {
    const objects = render({
      mode: 'allInOne',
      ingress: { enabled: true, host: 'a', tlsElsewhere: true, trustedProxies: ['10.0.0.0/8'] },
    });
    expect(routesOf(objectOf(objects, 'Ingress'))).toEqual(
      ['/ocpp', '/v2', '/api', '/docs', '/console'].map((path) => `a${path} → all-in-one`),
    );
  });
});

describe('CONSOLE_OCPP_URL', () => {
  const trustedProxies = ['10.0.0.0/8'];
  const ingress = (...hosts: readonly Values[]): Values => ({
    ingress: { enabled: true, tlsElsewhere: true, trustedProxies, hosts },
  });
  const chargers = { host: 'chargers.example.com', serves: ['chargers'] };
  const apis = { host: 'api.example.com', serves: ['apis'] };
  const both = { host: 'charging.example.com' };
  const tlsRoute = { enabled: true, parentRefs: [{ name: 'public' }], hostnames: ['tls.example.com'] };
  const route = (...hostnames: readonly string[]): Values => ({
    enabled: true,
    parentRefs: [{ name: 'public' }],
    hostnames,
  });

  it.each([
    ['another host of an Ingress', ingress(apis, chargers), 'wss://chargers.example.com/ocpp/'],
    ['a host that serves both, beside one of APIs', ingress(apis, both), 'wss://charging.example.com/ocpp/'],
    ['one host that serves both', ingress(both), undefined],
    ['no host of chargers', ingress(apis), undefined],
    [
      'an HTTPRoute, whose every host serves both',
      { ingress: { trustedProxies }, gatewayApi: route('a.example.com', 'b.example.com') },
      undefined,
    ],
    [
      'a TLSRoute beside an Ingress of APIs',
      { ...ingress(apis), tls: CERTIFICATE, gatewayApi: { tlsRoute } },
      'wss://tls.example.com/ocpp/',
    ],
    [
      'a TLSRoute for any host alone',
      { ...ingress(apis), tls: CERTIFICATE, gatewayApi: { tlsRoute: { ...tlsRoute, hostnames: ['*.example.com'] } } },
      undefined,
    ],
    [
      'the settings of the values',
      { ...ingress(apis, chargers), v2Api: { settings: { CONSOLE_OCPP_URL: 'wss://mine.example.com/ocpp/' } } },
      'wss://mine.example.com/ocpp/',
    ],
    [
      'extraEnv',
      { ...ingress(apis, chargers), v2Api: { extraEnv: [{ name: 'CONSOLE_OCPP_URL', value: 'wss://mine/ocpp/' }] } },
      'wss://mine/ocpp/',
    ],
  ] as const)('follows from %s', (_what, values, expected) => {
    const objects = render(minimalValues(values));
    expect(environmentOf(podOf(objects, 'v2-api'))['CONSOLE_OCPP_URL']).toBe(expected);
    expect(environmentOf(podOf(objects, 'legacy-api'))).not.toHaveProperty('CONSOLE_OCPP_URL');
  });

  it('reaches the one process too', () => {
    const objects = render({ mode: 'allInOne', ...ingress(apis, chargers) });
    expect(environmentOf(podOf(objects, 'all-in-one'))).toMatchObject({
      CONSOLE_OCPP_URL: 'wss://chargers.example.com/ocpp/',
    });
  });
});

describe('gatewayApi', () => {
  it('has no time limits for chargers', () => {
    const [rule] = rulesOf(objectOf(everything, 'HTTPRoute', '-gateway'));
    expect(rule).toMatchObject({
      matches: [{ path: { type: 'PathPrefix', value: '/ocpp' } }],
      timeouts: { request: '0s', backendRequest: '0s' },
      backendRefs: [{ name: 'charge-busbar-gateway', port: 8080 }],
    });
  });

  it('has no timeouts where the controller refuses them, and there a policy has the limit', () => {
    const objects = render(join(CHART, 'examples/gke.yaml'));
    for (const route of objects.filter(({ kind }) => kind === 'HTTPRoute')) {
      for (const rule of rulesOf(route)) expect(rule).not.toHaveProperty('timeouts');
    }
    expect(specOf(objectOf(objects, 'GCPBackendPolicy', '-gateway'))).toMatchObject({
      default: { timeoutSec: 86_400 },
    });
  });

  it('leads to both APIs', () => {
    expect(rulesOf(objectOf(everything, 'HTTPRoute', '-v2-api'))[0]).toMatchObject({
      backendRefs: [{ name: 'charge-busbar-v2-api', port: 8080 }],
    });
    expect(rulesOf(objectOf(everything, 'HTTPRoute', '-legacy-api'))[0]).toMatchObject({
      matches: [{ path: { type: 'PathPrefix', value: '/api' } }],
    });
  });

  it('passes TLS through to the gateways on a listener of its own', () => {
    const route = objectOf(everything, 'TLSRoute');
    expect(specOf(route)).toMatchObject({
      parentRefs: [{ name: 'public', sectionName: 'chargers' }],
      hostnames: ['chargers.example.com'],
      rules: [{ backendRefs: [{ name: 'charge-busbar-gateway', port: 8443 }] }],
    });
    const older = render(
      minimalValues({
        tls: CERTIFICATE,
        gatewayApi: {
          tlsRoute: { enabled: true, apiVersion: 'v1alpha2', parentRefs: [{ name: 'a' }], hostnames: ['a'] },
        },
      }),
    );
    expect(objectOf(older, 'TLSRoute').apiVersion).toBe('gateway.networking.k8s.io/v1alpha2');
  });
});

describe('gateway.passthrough', () => {
  it('leads straight to the TLS port and keeps the address of the charger', () => {
    const service = objectOf(everything, 'Service', '-chargers');
    expect(specOf(service)).toMatchObject({ type: 'LoadBalancer', externalTrafficPolicy: 'Local' });
    expect(portsOf(service)).toEqual(['https:8443']);
  });

  it('serves TLS to chargers and plain websockets to the proxies at once', () => {
    const environment = environmentOf(podOf(everything, 'gateway'));
    expect(environment).toMatchObject({
      TLS: 'on',
      PORT: '8443',
      OCPP_PLAIN_PORT: '8080',
      TRUSTED_PROXIES: '10.244.0.0/16',
    });
    expect(environment).toMatchObject({ TLS_CLIENT_CA_FILE: '/secrets/client-ca/ca.crt' });
    expect(environmentOf(podOf(everything, 'v2-api'))).toMatchObject({ TLS: 'off', PORT: '8080' });
    expect(environmentOf(podOf(everything, 'charger-state'))).toMatchObject({
      CHARGER_CA_CERT_FILE: '/secrets/charger-ca/tls.crt',
      CHARGER_CA_KEY_FILE: '/secrets/charger-ca/tls.key',
      V2G_CA_CERT_FILE: '/secrets/v2g-ca/tls.crt',
      V2G_CA_KEY_FILE: '/secrets/v2g-ca/tls.key',
      V2G20_CA_CERT_FILE: '/secrets/v2g20-ca/tls.crt',
      V2G20_CA_KEY_FILE: '/secrets/v2g20-ca/tls.key',
    });
  });

  it.each(['NodePort', 'ClusterIP'])('may be a Service of type %s', (type) => {
    const objects = render(minimalValues({ tls: CERTIFICATE, gateway: { passthrough: { enabled: true, type } } }));
    expect(specOf(objectOf(objects, 'Service', '-chargers'))['type']).toBe(type);
  });
});

describe('a certificate of cert-manager', () => {
  it('is issued for the names of the values, and is what the pods mount', () => {
    const certificate = objectOf(everything, 'Certificate');
    expect(specOf(certificate)).toMatchObject({
      secretName: 'charge-busbar-tls',
      dnsNames: ['charging.example.com'],
      issuerRef: { name: 'letsencrypt', kind: 'ClusterIssuer', group: 'cert-manager.io' },
      privateKey: { rotationPolicy: 'Always' },
    });
    expect(JSON.stringify(podOf(everything, 'gateway').spec.volumes)).toContain('"secretName":"charge-busbar-tls"');
  });
});

it('never exposes the internal port', () => {
  for (const service of everything.filter(({ kind }) => kind === 'Service')) {
    const { type, clusterIP } = specOf(service);
    if (portsOf(service).includes('internal:9090')) expect([type, clusterIP]).toEqual(['ClusterIP', 'None']);
  }
});

describe('autoscaling', () => {
  const PERCENT = { type: 'Percent', value: 100, periodSeconds: 60 };
  const hpa = (more: Values): readonly KubernetesObject[] => render(minimalValues(more));

  it.each([
    { name: 'gateway', key: 'gateway', cpu: 70, window: 1800, period: 600 },
    { name: 'charger-state', key: 'chargerState', cpu: 75, window: 300, period: 300 },
    { name: 'push', key: 'push', cpu: 70, window: 300, period: 300 },
    { name: 'v2-api', key: 'v2Api', cpu: 70, window: 300, period: 60 },
    { name: 'legacy-api', key: 'legacyApi', cpu: 70, window: 300, period: 60 },
  ])('doubles $name in a minute and shrinks it by one', ({ name, key, cpu, window, period }) => {
    const objects = hpa({ [key]: { autoscaling: { kind: 'hpa', min: 3, max: 4 } } });
    const spec = specOf(objectOf(objects, 'HorizontalPodAutoscaler', `-${name}`));
    expect(spec).toMatchObject({ minReplicas: 3, maxReplicas: 4 });
    expect(spec['scaleTargetRef']).toMatchObject({ kind: 'Deployment', name: `charge-busbar-${name}` });
    expect(spec['behavior']).toEqual({
      scaleUp: { policies: [PERCENT] },
      scaleDown: {
        stabilizationWindowSeconds: window,
        policies: [{ type: 'Pods', value: 1, periodSeconds: period }],
      },
    });
    expect(spec['metrics']).toContainEqual({
      type: 'Resource',
      resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: cpu } },
    });
    expect(specOf(podOf(objects, name).owner)).not.toHaveProperty('replicas');
  });

  it('aims at 70 % of the connections of gateways', () => {
    const objects = hpa({ gateway: { autoscaling: { kind: 'hpa' }, settings: { OCPP_MAX_CONNECTIONS: 8_000 } } });
    expect((specOf(objectOf(objects, 'HorizontalPodAutoscaler'))['metrics'] as Fields[])[0]).toEqual({
      type: 'Pods',
      pods: {
        metric: { name: 'busbar_gateway_connections' },
        target: { type: 'AverageValue', averageValue: '5600' },
      },
    });
  });

  it('aims at 2,000 waiting reports for each replica of charger-state', () => {
    const objects = hpa({ chargerState: { autoscaling: { kind: 'hpa' } } });
    expect((specOf(objectOf(objects, 'HorizontalPodAutoscaler'))['metrics'] as Fields[])[0]).toMatchObject({
      type: 'Object',
      object: {
        describedObject: { kind: 'Service', name: 'charge-busbar-charger-state-metrics' },
        metric: { name: 'busbar_state_waiting', selector: { matchLabels: { queue: 'reports' } } },
        target: { type: 'AverageValue', averageValue: '2000' },
      },
    });
  });

  it('aims at 10,000 waiting events for each replica of push', () => {
    const objects = hpa({ push: { autoscaling: { kind: 'hpa' } } });
    expect((specOf(objectOf(objects, 'HorizontalPodAutoscaler'))['metrics'] as Fields[])[0]).toEqual({
      type: 'Pods',
      pods: {
        metric: { name: 'busbar_push_waiting_events' },
        target: { type: 'AverageValue', averageValue: '10000' },
      },
    });
  });

  it('leaves a metric out whose target is 0', () => {
    const objects = hpa({ gateway: { autoscaling: { kind: 'hpa', cpuTarget: 0, metricTarget: 500 } } });
    const metrics = specOf(objectOf(objects, 'HorizontalPodAutoscaler'))['metrics'] as Fields[];
    expect(metrics.map(({ type }) => type)).toEqual(['Pods']);
  });

  it.each([
    { name: 'gateway', window: 1800, period: 600 },
    { name: 'charger-state', window: 300, period: 300 },
    { name: 'v2-api', window: 300, period: 60 },
  ])('grows and shrinks $name by KEDA as by an HPA', ({ name, window, period }) => {
    const objects = render(join(CHART, 'ci/direct-values.yaml'));
    expect(specOf(objectOf(objects, 'ScaledObject', `-${name}`))['advanced']).toEqual({
      horizontalPodAutoscalerConfig: {
        behavior: {
          scaleUp: { policies: [PERCENT] },
          scaleDown: {
            stabilizationWindowSeconds: window,
            policies: [{ type: 'Pods', value: 1, periodSeconds: period }],
          },
        },
      },
    });
  });

  it('asks Prometheus for the same by KEDA, and falls back to the minimum', () => {
    const objects = render(join(CHART, 'ci/direct-values.yaml'));
    const gateway = specOf(objectOf(objects, 'ScaledObject', '-gateway'));
    expect(gateway).toMatchObject({
      scaleTargetRef: { name: 'charge-busbar-gateway' },
      minReplicaCount: 2,
      fallback: { replicas: 2 },
    });
    expect((gateway['triggers'] as Fields[])[0]).toMatchObject({
      type: 'prometheus',
      metadata: {
        serverAddress: 'http://prometheus.monitoring:9090',
        query: 'sum(busbar_gateway_connections{namespace="charging",release="charge"})',
      },
    });
    expect((specOf(objectOf(objects, 'ScaledObject', '-charger-state'))['triggers'] as Fields[])[0]).toEqual({
      type: 'prometheus',
      metricType: 'AverageValue',
      metadata: {
        serverAddress: 'http://prometheus.monitoring:9090',
        query: 'max(busbar_state_waiting{queue="reports",namespace="charging",release="charge"})',
        threshold: '2000',
      },
    });
    expect(specOf(objectOf(objects, 'ScaledObject', '-v2-api'))).not.toHaveProperty('fallback');
    expect(objects.filter(({ kind }) => kind === 'HorizontalPodAutoscaler')).toEqual([]);
  });
});

function portsOf(service: KubernetesObject): readonly string[] {
  const ports = specOf(service)['ports'] as readonly { name: string; port: number }[];
  return ports.map(({ name, port }) => `${name}:${String(port)}`);
}

function rulesOf(route: KubernetesObject): readonly Fields[] {
  return specOf(route)['rules'] as readonly Fields[];
}

function routesOf(ingress: KubernetesObject): readonly string[] {
  const rules = specOf(ingress)['rules'] as readonly {
    host: string;
    http: { paths: readonly { path: string; backend: { service: { name: string } } }[] };
  }[];
  return rules.flatMap(({ host, http }) =>
    http.paths.map(({ path, backend }) => `${host}${path} → ${backend.service.name.replace('charge-busbar-', '')}`),
  );
}
