// Tests the error of wrong values: one sentence that names the value and what to do, and nothing is rendered.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve, type Served } from '@busbar/testing';
import { helm, installInto, minimalValues, NEWEST, type Values } from './helm';

const ISSUER = { issuerRef: { name: 'ca' } };
const INGRESS = { ingress: { enabled: true, host: 'a.example.com', tls: [{ secretName: 'a' }] } };
const noBroker = { broker: { existingSecret: { name: '' } } };
const noStore = { store: { existingSecret: { name: '' } } };
const spread = (more: Values): Values => ({
  maxSkew: 1,
  topologyKey: 'zone',
  whenUnsatisfiable: 'DoNotSchedule',
  ...more,
});
const privateKey = (more: Values): Values => ({ tls: { certificate: { certManager: { privateKey: more } } } });
const hpa = (more: Values): Values => ({ autoscaling: { kind: 'hpa', ...more } });

/** Each row: what is wrong, the values, and parts of the sentence. */
const ROWS: readonly (readonly [string, Values, ...string[]])[] = [
  ['an unknown key', { gatway: {} }, "additional properties 'gatway' not allowed"],
  [
    'an unknown key further down',
    { gateway: { replica: 3 } },
    "'/gateway': additional properties 'replica' not allowed",
  ],
  ['a wrong type', { gateway: { replicas: 'three' } }, "'/gateway/replicas': got string, want null or integer"],
  ['a number out of range', { partitions: 300 }, "'/partitions': maximum: got 300, want 256"],
  [
    'a setting out of range',
    { gateway: { settings: { OCPP_PING_INTERVAL_S: 0 } } },
    'OCPP_PING_INTERVAL_S',
    'minimum: got 0, want 1',
  ],
  [
    'an unknown setting',
    { gateway: { settings: { OCPP_PING: 1 } } },
    "'/gateway/settings': additional properties 'OCPP_PING' not allowed",
  ],
  [
    'a setting of another process',
    { v2Api: { settings: { OCPP_STRICT: true } } },
    "additional properties 'OCPP_STRICT' not allowed",
  ],
  [
    'a delay shorter than a probe needs',
    { shutdown: { delaySeconds: 5 } },
    "'/shutdown/delaySeconds': minimum: got 5, want 6",
  ],
  [
    'a node selector that is no text',
    { gateway: { nodeSelector: { disk: 1 } } },
    "'/gateway/nodeSelector/disk': got number, want string",
  ],
  ...(
    [
      ['a toleration', { gateway: { tolerations: [{ kye: 'a' }] } }, '/gateway/tolerations/0', 'kye'],
      ['a spread', { v2Api: { topologySpread: [spread({ maxSkeew: 1 })] } }, '/v2Api/topologySpread/0', 'maxSkeew'],
      [
        'a selector of a spread',
        { v2Api: { topologySpread: [spread({ labelSelector: { labels: {} } })] } },
        '/v2Api/topologySpread/0/labelSelector',
        'labels',
      ],
      ['a private key', privateKey({ rotation: 'Always' }), '/tls/certificate/certManager/privateKey', 'rotation'],
      ['a TLS of an Ingress', { ingress: { tls: [{ secret: 'a' }] } }, '/ingress/tls/0', 'secret'],
      [
        'a parent',
        { gatewayApi: { parentRefs: [{ name: 'a', section: 'b' }] } },
        '/gatewayApi/parentRefs/0',
        'section',
      ],
      [
        'a parent of a TLSRoute',
        { gatewayApi: { tlsRoute: { parentRefs: [{ name: 'a', section: 'b' }] } } },
        '/gatewayApi/tlsRoute/parentRefs/0',
        'section',
      ],
      ['a peer', { networkPolicy: { from: [{ cidr: '10.0.0.0/8' }] } }, '/networkPolicy/from/0', 'cidr'],
      [
        'a peer of a server',
        { networkPolicy: { broker: { to: [{ pods: {} }] } } },
        '/networkPolicy/broker/to/0',
        'pods',
      ],
      ['a rule', { networkPolicy: { extraEgress: [{ from: [] }] } }, '/networkPolicy/extraEgress/0', 'from'],
    ] as const
  ).map(
    ([what, values, at, field]) =>
      [`an unknown field of ${what}`, values, `'${at}': additional properties '${field}' not allowed`] as const,
  ),
  [
    'a spread without a topology',
    { gateway: { topologySpread: [{ maxSkew: 1 }] } },
    "'/gateway/topologySpread/0': missing properties",
  ],
  ['an unknown mode', { mode: 'cluster' }, "'/mode': value must be one of 'services', 'allInOne'"],
  [
    'no broker',
    noBroker,
    'mode services needs a broker: set one of broker.url, broker.existingSecret.name, broker.rabbitmqCluster.',
  ],
  ['no store', noStore, 'mode services needs a store: set one of store.url, store.existingSecret.name.'],
  [
    'two brokers',
    { broker: { rabbitmqCluster: 'rabbit' } },
    'broker.existingSecret.name and broker.rabbitmqCluster are both set: keep one.',
  ],
  ['two stores', { store: { url: 'mongodb://a' } }, 'store.url and store.existingSecret.name are both set: keep one.'],
  [
    'a broker beside tryOut',
    { tryOut: { password: 'sixteen-characters', rabbitmq: { enabled: true } } },
    'tryOut.rabbitmq.enabled are both set',
  ],
  [
    'a broker in memory',
    { broker: { url: 'memory:', existingSecret: { name: '' } } },
    'broker.url begins with memory:',
    'mode allInOne has it',
  ],
  [
    'a store in a file',
    { store: { url: 'file:./data', existingSecret: { name: '' } } },
    'store.url begins with file:',
    'mode allInOne has it',
  ],
  [
    'replicas of the one process',
    { mode: 'allInOne', allInOne: { replicas: 2 } },
    'allInOne.replicas is not a value',
    'mode services has replicas',
  ],
  [
    'the URL of the broker as a setting',
    { gateway: { settings: { BROKER_URL: 'amqp://a' } } },
    'gateway.settings.BROKER_URL does not belong there',
    'broker.existingSecret',
  ],
  [
    'an API key as a setting',
    { v2Api: { settings: { BOOTSTRAP_API_KEY: 'k' } } },
    'v2Api.settings.BOOTSTRAP_API_KEY does not belong there',
    'bootstrap.existingSecret',
  ],
  [
    'PARTITIONS of one process',
    { chargerState: { settings: { PARTITIONS: 8 } } },
    'chargerState.settings.PARTITIONS does not belong there',
    'use partitions, which every process gets',
  ],
  ['a delay of one process', { gateway: { settings: { SHUTDOWN_DELAY_S: 8 } } }, 'use shutdown.delaySeconds'],
  [
    'nothing that ends TLS',
    { ingress: { trustedProxies: [] } },
    'Nothing ends TLS: set ingress.trustedProxies',
    'tls.certificate',
  ],
  [
    'an Ingress without its proxies',
    { ...INGRESS, ingress: { ...INGRESS.ingress, trustedProxies: [] } },
    'ingress.enabled without ingress.trustedProxies',
    'TLS=off',
  ],
  [
    'everybody as a proxy',
    { ingress: { trustedProxies: ['0.0.0.0/0'] } },
    'ingress.trustedProxies has 0.0.0.0/0: anybody could then send X-Forwarded-Proto',
  ],
  [
    'everybody as a proxy (IPv6)',
    { ingress: { trustedProxies: ['10.0.0.0/8', '::/0'] } },
    'ingress.trustedProxies has ::/0',
  ],
  ['a proxy that is no network', { ingress: { trustedProxies: ['controller'] } }, "'/ingress/trustedProxies/0'"],
  ['an Ingress without a host', { ingress: { ...INGRESS.ingress, host: '' } }, 'ingress.enabled without ingress.host'],
  [
    'an Ingress without TLS',
    { ingress: { ...INGRESS.ingress, tls: [] } },
    'ingress.enabled without ingress.tls: the APIs accept only HTTPS',
  ],
  ['a route without a Gateway', { gatewayApi: { enabled: true } }, 'gatewayApi.enabled without gatewayApi.parentRefs'],
  [
    'a TLS route without names',
    { tls: { certificate: { existingSecret: 'a' } }, gatewayApi: { tlsRoute: { enabled: true } } },
    'gatewayApi.tlsRoute.enabled without its parentRefs and hostnames',
  ],
  [
    'passthrough without a certificate',
    { gateway: { passthrough: { enabled: true } } },
    'gateway.passthrough leads to the TLS port of the gateways, and there is no certificate',
  ],
  [
    'passthrough and proxies for the one process',
    { mode: 'allInOne', ...noBroker, ...noStore, gateway: { passthrough: { enabled: true } } },
    'the one process has one port',
  ],
  [
    'client certificates where no gateway ends TLS',
    { tls: { clientCa: { existingSecret: 'a' } } },
    'tls.clientCa.existingSecret is set, and no gateway ends TLS',
    'set tls.certificate and a way that passes TLS through',
  ],
  [
    'client certificates for the one process behind a proxy',
    { mode: 'allInOne', ...noBroker, ...noStore, tls: { clientCa: { existingSecret: 'a' } } },
    'tls.clientCa.existingSecret and ingress.trustedProxies are both set',
    'remove one',
  ],
  [
    'two certificates',
    { tls: { certificate: { existingSecret: 'a', certManager: { ...ISSUER, dnsNames: ['a'] } } } },
    'are both set: keep one.',
  ],
  [
    'more certificates without a first one',
    { tls: { certificate: { otherSecrets: ['a'] } } },
    'tls.certificate.otherSecrets without a first certificate',
  ],
  [
    'the first certificate among the others',
    { tls: { certificate: { existingSecret: 'a', otherSecrets: ['a'] } } },
    'tls.certificate.otherSecrets has a, which is the first certificate already',
  ],
  [
    'a certificate without names',
    { tls: { certificate: { certManager: ISSUER } } },
    'tls.certificate.certManager.dnsNames is empty',
  ],
  [
    'more charger-states than partitions',
    { partitions: 4, chargerState: { replicas: 5 } },
    'chargerState has up to 5 replicas and partitions is 4',
  ],
  [
    'more scaled charger-states than partitions',
    { partitions: 4, chargerState: hpa({ max: 8 }) },
    'chargerState has up to 8 replicas and partitions is 4',
  ],
  ['a minimum above the maximum', { v2Api: hpa({ min: 5, max: 4 }) }, 'v2Api.autoscaling.min is 5 and max 4'],
  [
    'an HPA without a metric',
    { gateway: hpa({ metricTarget: 0, cpuTarget: 0 }) },
    'gateway.autoscaling.kind is hpa without a metric',
  ],
  [
    'an HPA of an API without a metric',
    { v2Api: hpa({ cpuTarget: 0 }) },
    'v2Api.autoscaling.kind is hpa without a metric',
  ],
  [
    'a timeout shorter than the drain',
    { gateway: { settings: { SHUTDOWN_TIMEOUT_S: 60 } } },
    'gateway.settings.SHUTDOWN_TIMEOUT_S is 60 and DRAIN_S 60: it must be at least 80.',
  ],
  [
    'a timeout longer than the grace',
    { gateway: { settings: { SHUTDOWN_TIMEOUT_S: 100 } } },
    'gateway.settings.SHUTDOWN_TIMEOUT_S is 100',
    'set at most 90',
  ],
  [
    'too many connections for the memory',
    { gateway: { settings: { OCPP_MAX_CONNECTIONS: 20_000 } } },
    'need 385 MiB',
    'is 358 MiB',
    'at least 551Mi',
  ],
  [
    'too little memory for any connection',
    { gateway: { resources: { limits: { memory: '200Mi' } } } },
    'gateway.resources.limits.memory is 200 MiB, in which no connections fit: set at least 232Mi.',
  ],
  [
    'too little memory for any connection with TLS',
    { tls: { certificate: { existingSecret: 'a' } }, gateway: { resources: { limits: { memory: '256Mi' } } } },
    'gateway.resources.limits.memory is 256 MiB, in which no connections fit: set at least 266Mi.',
  ],
  [
    'a heap above the limit',
    { v2Api: { extraEnv: [{ name: 'NODE_OPTIONS', value: '--max-old-space-size=300' }] } },
    'v2Api.extraEnv: a heap of 300 MiB does not fit',
    'at least 429Mi',
  ],
  [
    'a heap above the limit in the other spelling of Node',
    { v2Api: { extraEnv: [{ name: 'NODE_OPTIONS', value: '--max_old_space_size=300' }] } },
    'v2Api.extraEnv: a heap of 300 MiB does not fit',
    'at least 429Mi',
  ],
  [
    'memory in an unknown unit',
    { gateway: { resources: { limits: { memory: '512MB' } } } },
    'gateway.resources.limits.memory is 512MB: write it with Mi or Gi',
  ],
  [
    'no memory limit',
    { gateway: { resources: { limits: { memory: '' } } } },
    'gateway.resources.limits.memory is missing',
  ],
  [
    'gateways that close too fast',
    { gateway: { replicas: 10 } },
    '10 gateways of 15000 connections',
    'more than 1000: set DRAIN_S to at least 151, or OCPP_MAX_CONNECTIONS to at most 6000.',
  ],
  [
    'tryOut without a password',
    { ...noBroker, tryOut: { rabbitmq: { enabled: true } } },
    'tryOut.password is missing or shorter than 16 characters',
  ],
  [
    'a password that would need quotes',
    { ...noBroker, tryOut: { password: 'with/slash-and-more', rabbitmq: { enabled: true } } },
    "'/tryOut/password'",
  ],
  [
    'tryOut for the one process',
    {
      mode: 'allInOne',
      ...noBroker,
      ...noStore,
      tryOut: { password: 'sixteen-characters', mongodb: { enabled: true } },
    },
    'tryOut is for mode services',
  ],
  [
    'KEDA beside replicas',
    { monitoring: { prometheusAddress: 'http://p' }, gateway: { replicas: 3, autoscaling: { kind: 'keda' } } },
    'gateway.replicas and gateway.autoscaling.kind keda are both set',
  ],
  [
    'an HPA beside replicas',
    { v2Api: { replicas: 3, ...hpa({}) } },
    'v2Api.replicas and v2Api.autoscaling.kind hpa are both set',
  ],
  [
    'KEDA without Prometheus',
    { gateway: { autoscaling: { kind: 'keda' } } },
    'gateway.autoscaling.kind is keda without monitoring.prometheusAddress',
  ],
  [
    'a disruption budget that forbids every eviction',
    { v2Api: { replicas: 1, pdb: { minAvailable: 1 } } },
    'v2Api.pdb.minAvailable is 1 with 1 replicas',
  ],
  ['the tag latest', { image: { tag: 'latest' } }, 'image.tag is latest, which names no version: set a version'],
  ...(
    [
      ['mongodump', 'backup.mongodump.image', (image: Values) => ({ backup: { mongodump: { image } } })],
      ['RabbitMQ of tryOut', 'tryOut.rabbitmq.image', (image: Values) => ({ tryOut: { rabbitmq: { image } } })],
      ['MongoDB of tryOut', 'tryOut.mongodb.image', (image: Values) => ({ tryOut: { mongodb: { image } } })],
    ] as const
  ).flatMap(
    ([of, at, values]) =>
      [
        [`the tag latest of ${of}`, values({ tag: 'latest' }), `${at}.tag is latest, which names no version`],
        [`an image of ${of} without a version`, values({ tag: '' }), `${at}.tag is empty, and no digest is given`],
        [`a tag of ${of} that is none`, values({ tag: 'a b' }), `'/${at.replaceAll('.', '/')}/tag'`],
        [`an image of ${of} without a name`, values({ repository: '' }), `'/${at.replaceAll('.', '/')}/repository'`],
      ] as const,
  ),
  ['a tag that is none', { image: { tag: 'a b' } }, "'/image/tag'"],
  ['a digest that is none', { image: { digest: 'sha256:1' } }, "'/image/digest'"],
  ['a legacy API that is the only one', { v2Api: { enabled: false } }, "'/v2Api/enabled': value must be true"],
  [
    'one public address of the smoke test',
    { smoke: { v2Url: 'https://charging.example.com' } },
    'smoke.v2Url and smoke.ocppUrl belong together: set both',
  ],
  [
    'a variable that the chart sets',
    { gateway: { settings: { PORT: 8443 } } },
    'gateway.settings.PORT does not belong there: the chart sets it, so remove it.',
  ],
  [
    'another variable that the chart sets',
    { gateway: { extraEnv: [{ name: 'PORT', value: '9443' }] } },
    'gateway.extraEnv.PORT does not belong there: the chart sets it, so remove it.',
  ],
  [
    'another variable that the chart sets from a file',
    { v2Api: { extraEnv: [{ name: 'STORE_URL', value: 'mongodb://a' }] } },
    'v2Api.extraEnv.STORE_URL does not belong there: use store.existingSecret or store.url.',
  ],
  [
    'another certificate than that of the values',
    { tls: { certificate: { existingSecret: 'a' } }, gateway: { extraEnv: [{ name: 'TLS_CERT_FILE', value: '/a' }] } },
    'gateway.extraEnv.TLS_CERT_FILE does not belong there: use tls.certificate.existingSecret',
  ],
  [
    'another number that the chart computes with',
    { gateway: { extraEnv: [{ name: 'DRAIN_S', value: '5' }] } },
    'gateway.extraEnv.DRAIN_S does not belong there: the chart computes with it, so use gateway.settings.',
  ],
  [
    'a variable of extraEnv that is a setting too',
    { v2Api: { settings: { RATE_LIMIT_PER_KEY: 5 }, extraEnv: [{ name: 'RATE_LIMIT_PER_KEY', value: '6' }] } },
    'v2Api.extraEnv has RATE_LIMIT_PER_KEY, and v2Api.settings sets it too: keep one.',
  ],
  [
    'both monitors',
    { monitoring: { serviceMonitor: { enabled: true }, podMonitor: { enabled: true } } },
    'are both enabled',
  ],
  ['backups of the one process in mode services', { backup: { enabled: true } }, 'backup.enabled is for mode allInOne'],
  [
    'mongodump for the one process',
    { mode: 'allInOne', ...noBroker, ...noStore, backup: { mongodump: { enabled: true } } },
    'backup.mongodump is for mode services',
  ],
  [
    'mongodump without the URL of a user for backups',
    { backup: { mongodump: { enabled: true } } },
    'backup.mongodump.enabled without backup.mongodump.existingSecret.name',
    "without a database, of a user with MongoDB's role backup",
  ],
  [
    'mongodump of a MongoDB that is no replica set',
    {
      ...noStore,
      tryOut: { password: 'sixteen-characters', mongodb: { enabled: true } },
      backup: { mongodump: { enabled: true, existingSecret: { name: 'mongodump' } } },
    },
    'backup.mongodump.enabled and tryOut.mongodb.enabled are both set',
    'no replica set',
  ],
];

const CASES = ROWS.map(([title, values, ...parts]) => ({ title, values, parts }));

it.each(CASES)('refuses $title', ({ values, parts }) => {
  for (const command of ['template', 'lint'] as const) {
    const { ok, stdout, stderr } = helm(command, minimalValues(values));
    const output = `${stdout}${stderr}`;
    expect(ok).toBe(false);
    for (const part of parts) expect(output).toContain(part);
    if (command === 'template') expect(stdout).toBe('');
  }
});

/** The responses to what Helm asks an API server before it renders, by path. */
const ANSWERS = new Map<string, unknown>([
  ['/version', { major: '1', minor: NEWEST.split('.')[1], gitVersion: `v${NEWEST}.0` }],
  ['/api', { kind: 'APIVersions', versions: [] }],
  ['/apis', { kind: 'APIGroupList', groups: [] }],
]);

describe('helm install', () => {
  const asked: string[] = [];
  let cluster: Served;
  let home: string;
  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'busbar-install-'));
    cluster = await serve((request, response) => {
      asked.push(`${request.method ?? ''} ${request.url ?? ''}`);
      const answer = ANSWERS.get(new URL(request.url ?? '', 'http://cluster').pathname);
      response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer ?? {}));
    });
  });
  afterAll(async () => {
    await cluster.close();
    rmSync(home, { recursive: true, force: true });
  });

  it.each(CASES)('refuses $title, and sends nothing to the cluster', async ({ values, parts }) => {
    asked.length = 0;
    const { ok, stdout, stderr } = await installInto(cluster.origin, home, minimalValues(values));
    expect(ok).toBe(false);
    for (const part of parts) expect(stderr).toContain(part);
    expect(stdout).toBe('');
    // It asks for the version of Kubernetes.
    expect(asked).toContainEqual(expect.stringMatching(/^GET \/version/));
    expect(asked.filter((each) => !each.startsWith('GET /'))).toEqual([]);
  });
});
