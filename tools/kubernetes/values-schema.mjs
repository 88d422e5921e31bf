// values.schema.json of the chart: its structure and types follow from values.yaml, the variables of each process from their own
// settings, and what neither says from the tables below.
import { readElsewhere, readValues } from './values.mjs';

/** The process of each component, as in deploy/env.example. */
export const PROCESSES = {
  gateway: 'ocpp-gateway',
  chargerState: 'charger-state',
  push: 'push',
  v2Api: 'v2-api',
  legacyApi: 'legacy-api',
  allInOne: 'npm start',
};
const REPLICAS = { type: ['integer', 'null'], minimum: 1, maximum: 1000 };
const PORT = { type: 'integer', minimum: 1, maximum: 65_535 };
const SECONDS = '^[1-9][0-9]*(s|m)$';
const QUANTITY = { type: ['string', 'integer'], pattern: '^[1-9][0-9]*(\\.[0-9]+)?(Ki|Mi|Gi|Ti|k|M|G|T)?$' };
/** Empty: the chart has a default, or refuses it. */
const TAG = { pattern: '^([A-Za-z0-9_][A-Za-z0-9_.-]{0,127})?$' };
const DIGEST = { pattern: '^(sha256:[0-9a-f]{64})?$' };
const TEXT = { type: 'string', minLength: 1 };
const TEXTS = { type: 'array', items: TEXT };
const OPEN = { type: 'object' };
const STRINGS = { type: 'object', additionalProperties: { type: 'string' } };

/** A list of objects with these properties and no others. */
function listOf(properties, required = []) {
  return { type: 'array', items: closed(properties, required) };
}

function closed(properties, required = []) {
  return { type: 'object', additionalProperties: false, ...(required.length > 0 ? { required } : {}), properties };
}

// Objects of Kubernetes that are rendered as they are given, in its own shapes: a mistyped field is an error before anything is sent.
const SELECTOR = closed({
  matchLabels: STRINGS,
  matchExpressions: listOf(
    {
      key: TEXT,
      operator: { enum: ['In', 'NotIn', 'Exists', 'DoesNotExist'] },
      values: { type: 'array', items: { type: 'string' } },
    },
    ['key', 'operator'],
  ),
});
const TOLERATIONS = listOf({
  key: { type: 'string' },
  operator: { enum: ['Equal', 'Exists', 'Lt', 'Gt'] },
  value: { type: 'string' },
  effect: { enum: ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] },
  tolerationSeconds: { type: 'integer' },
});
const NODE_POLICY = { enum: ['Honor', 'Ignore'] };
const SPREAD = listOf(
  {
    maxSkew: { type: 'integer', minimum: 1 },
    topologyKey: TEXT,
    whenUnsatisfiable: { enum: ['DoNotSchedule', 'ScheduleAnyway'] },
    labelSelector: SELECTOR,
    matchLabelKeys: TEXTS,
    minDomains: { type: 'integer', minimum: 1 },
    nodeAffinityPolicy: NODE_POLICY,
    nodeTaintsPolicy: NODE_POLICY,
  },
  ['maxSkew', 'topologyKey', 'whenUnsatisfiable'],
);
const PEERS = listOf({
  ipBlock: closed({ cidr: TEXT, except: TEXTS }, ['cidr']),
  namespaceSelector: SELECTOR,
  podSelector: SELECTOR,
});
const EGRESS = listOf({
  to: PEERS,
  ports: listOf({
    port: { type: ['integer', 'string'] },
    endPort: PORT,
    protocol: { enum: ['TCP', 'UDP', 'SCTP'] },
  }),
});
/** The parents of a route of the Gateway API. */
const PARENTS = listOf(
  { group: { type: 'string' }, kind: TEXT, namespace: TEXT, name: TEXT, sectionName: TEXT, port: PORT },
  ['name'],
);

/** By path; `*` is any one key. Each is merged into what values.yaml says, later ones over earlier ones. */
const RULES = {
  mode: { enum: ['services', 'allInOne'] },
  commonLabels: STRINGS,
  commonAnnotations: STRINGS,
  'image.repository': { minLength: 1 },
  'image.tag': TAG,
  'image.digest': DIGEST,
  'image.pullPolicy': { enum: ['IfNotPresent', 'Always', 'Never'] },
  'image.pullSecrets': TEXTS,
  'serviceAccount.annotations': STRINGS,
  partitions: { minimum: 1, maximum: 256 },
  'shutdown.delaySeconds': { minimum: 6, maximum: 120 },
  upgradeStrategy: { enum: ['rolling', 'stop'] },
  'tls.certificate.certManager.dnsNames': TEXTS,
  // A server presents one certificate for each type of key: RSA, EC, Ed25519.
  'tls.certificate.otherSecrets': { ...TEXTS, maxItems: 2, uniqueItems: true },
  'tls.certificate.certManager.privateKey': closed({
    algorithm: { enum: ['RSA', 'ECDSA', 'Ed25519'] },
    encoding: { enum: ['PKCS1', 'PKCS8'] },
    size: { type: 'integer', minimum: 256, maximum: 8192 },
    rotationPolicy: { enum: ['Always', 'Never'] },
  }),
  'ingress.hosts': listOf(
    { host: TEXT, serves: { type: 'array', minItems: 1, items: { enum: ['chargers', 'apis'] } } },
    ['host'],
  ),
  'ingress.tls': listOf({ hosts: TEXTS, secretName: TEXT }),
  'ingress.annotations': STRINGS,
  'ingress.trustedProxies': { type: 'array', items: { type: 'string', pattern: '^[0-9A-Fa-f.:]+(/[0-9]{1,3})?$' } },
  'gatewayApi.parentRefs': PARENTS,
  'gatewayApi.hostnames': TEXTS,
  'gatewayApi.annotations': STRINGS,
  'gatewayApi.tlsRoute.apiVersion': { pattern: '^v[0-9][a-z0-9]*$' },
  'gatewayApi.tlsRoute.parentRefs': PARENTS,
  'gatewayApi.tlsRoute.hostnames': TEXTS,
  '*.replicas': REPLICAS,
  '*.extraEnv': { type: 'array', items: { type: 'object', required: ['name'] } },
  '*.resources': OPEN,
  '*.nodeSelector': STRINGS,
  '*.tolerations': TOLERATIONS,
  '*.affinity': OPEN,
  '*.topologySpread': SPREAD,
  '*.podAnnotations': STRINGS,
  '*.podLabels': STRINGS,
  '*.pdb.maxUnavailable': { minimum: 1 },
  '*.pdb.minAvailable': { type: ['integer', 'null'], minimum: 1 },
  '*.autoscaling.kind': { enum: ['none', 'hpa', 'keda'] },
  '*.autoscaling.min': REPLICAS,
  '*.autoscaling.max': { minimum: 1, maximum: 1000 },
  '*.autoscaling.metricTarget': { type: ['integer', 'null'], minimum: 0 },
  '*.autoscaling.cpuTarget': { type: ['integer', 'null'], minimum: 0, maximum: 1000 },
  // Without these three there is no Busbar.
  'gateway.enabled': { const: true },
  'chargerState.enabled': { const: true },
  'v2Api.enabled': { const: true },
  'gateway.passthrough.type': { enum: ['LoadBalancer', 'NodePort', 'ClusterIP'] },
  'gateway.passthrough.port': PORT,
  'gateway.passthrough.nodePort': { ...PORT, type: ['integer', 'null'] },
  'gateway.passthrough.externalTrafficPolicy': { enum: ['Local', 'Cluster'] },
  'gateway.passthrough.loadBalancerSourceRanges': TEXTS,
  'gateway.passthrough.annotations': STRINGS,
  'allInOne.persistence.accessMode': { enum: ['ReadWriteOnce', 'ReadWriteOncePod'] },
  'allInOne.persistence.size': QUANTITY,
  'backup.everyHours': { minimum: 1, maximum: 744 },
  'backup.keep': { minimum: 1, maximum: 1000 },
  'backup.persistence.size': QUANTITY,
  'backup.mongodump.keep': { minimum: 1, maximum: 1000 },
  'backup.mongodump.resources': OPEN,
  'backup.mongodump.command': TEXTS,
  'backup.mongodump.image.repository': { minLength: 1 },
  'backup.mongodump.image.tag': TAG,
  'backup.mongodump.image.digest': DIGEST,
  'backup.mongodump.persistence.size': QUANTITY,
  'networkPolicy.from': PEERS,
  'networkPolicy.*.to': PEERS,
  'networkPolicy.*.ports': { type: 'array', minItems: 1, items: PORT },
  'networkPolicy.webhooks.ports': {
    type: 'array',
    minItems: 1,
    items: closed({ port: PORT, endPort: PORT }, ['port']),
  },
  'networkPolicy.extraEgress': EGRESS,
  'monitoring.*.interval': { pattern: SECONDS },
  'monitoring.*.labels': STRINGS,
  'monitoring.dashboards.annotations': STRINGS,
  'tryOut.*.image.repository': { minLength: 1 },
  'tryOut.*.image.tag': TAG,
  'tryOut.*.image.digest': DIGEST,
  'tryOut.*.size': QUANTITY,
  'tryOut.*.resources': OPEN,
  // It stands in a configuration file and in URLs.
  'tryOut.password': { pattern: '^[A-Za-z0-9_.-]*$' },
  extraObjects: { type: 'array', items: { type: ['object', 'string'] } },
};

/** The schema as an object. `specs`: each process with the variables that it reads. */
export function valuesSchema(specs) {
  const { properties, ...rest } = objectOf(readValues(), specs);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Values of the chart busbar',
    ...rest,
    properties: {
      // The values of a chart that has this one as a part.
      global: OPEN,
      ...properties,
    },
  };
}

/** Returns the schema of each variable of a process, without the variables that other values set and those for tests alone. */
export function settingsOf(component, specs) {
  const elsewhere = readElsewhere();
  const { settings } = specs.find(({ process }) => process === PROCESSES[component]);
  return Object.values(settings)
    .filter(({ variable, omitted = false }) => elsewhere[variable] === undefined && !omitted)
    .sort((one, other) => one.variable.localeCompare(other.variable));
}

function objectOf(values, specs) {
  const properties = Object.fromEntries(values.map((value) => [value.key, schemaOf(value, specs)]));
  return { type: 'object', additionalProperties: false, properties };
}

function schemaOf({ path, key, about, value, children }, specs) {
  const description = about === '' ? {} : { description: about };
  if (key === 'settings') return { ...description, ...settingsSchema(path[0], specs) };
  const rules = Object.entries(RULES).filter(([pattern]) => matches(pattern, path));
  const rule = Object.assign({}, ...rules.map(([, each]) => each));
  const isOpen = rule.type === 'object' || rule.type === 'array';
  const own = children === undefined || isOpen ? { type: typeOf(value, path, rule) } : objectOf(children, specs);
  const replicas = path.join('.') === 'allInOne' ? { replicas: { description: 'Not a value: there is one.' } } : {};
  const all = { ...own, ...rule, ...description };
  // An enumeration says the type too.
  if (rule.enum !== undefined || rule.const !== undefined) delete all.type;
  return children === undefined || isOpen ? all : { ...all, properties: { ...all.properties, ...replicas } };
}

/** A variable that other values set is taken here, so that the chart can say which; every other name is an error. */
function settingsSchema(component, specs) {
  const elsewhere = Object.entries(readElsewhere());
  const { settings } = specs.find(({ process }) => process === PROCESSES[component]);
  const read = new Set(Object.values(settings).map(({ variable }) => variable));
  const properties = Object.fromEntries([
    ...settingsOf(component, specs).map((setting) => [setting.variable, ofSetting(setting)]),
    ...elsewhere
      .filter(([variable]) => read.has(variable))
      .map(([variable, where]) => [variable, { description: `Not here: ${where}.` }]),
  ]);
  return { type: 'object', additionalProperties: false, properties };
}

function ofSetting({ about, expects, schema, defaultText }) {
  const description = `${about} ${expects[0].toUpperCase()}${expects.slice(1)}.`;
  const more = defaultText === undefined ? {} : { $comment: `Default: ${defaultText}` };
  return { description, ...withNumbers(schema), ...more };
}

/** YAML makes numbers of some words. */
function withNumbers(schema) {
  if (schema.enum?.every((value) => /^\d+$/.test(value)) !== true) {
    return schema.type === 'string' ? { type: ['string', 'number'] } : schema;
  }
  return { enum: [...schema.enum, ...schema.enum.map(Number)] };
}

function typeOf(value, path, rule) {
  if (rule.type !== undefined) return rule.type;
  if (Array.isArray(value)) return 'array';
  if (value === null) throw new Error(`values.yaml: ${path.join('.')} is null, so RULES must say its type`);
  return typeof value === 'number' ? 'integer' : typeof value;
}

function matches(pattern, path) {
  const keys = pattern.split('.');
  return keys.length === path.length && keys.every((key, at) => key === '*' || key === path[at]);
}
