// docker-compose.yml and the chart are two ways to run the same services. Where their settings differ, this says why.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { render, RELEASE } from './helm';

const ROOT = join(__dirname, '../../..');
const PROXY = '10.87.0.10/32';
/** The chart in the place of the compose file: four services behind one proxy, and a first client. */
const VALUES = {
  broker: { existingSecret: { name: 'broker' } },
  store: { existingSecret: { name: 'store' } },
  bootstrap: { existingSecret: 'first-client', keys: { clientName: 'name' } },
  ingress: { trustedProxies: [PROXY] },
};

/** A reason for each setting that differs. */
const OF_EVERY_SERVICE = {
  NODE_OPTIONS: 'the heap follows the memory limit of the values',
  SHUTDOWN_DELAY_S:
    'Kubernetes still sends requests for seconds; the proxy of the compose file stops with the services',
};
const OF_A_PORT = { PORT: 'plain HTTP has another port on Kubernetes' };
const OF_SECRETS = { SECRETS_KEY: 'extraEnv names the Secret; the compose file has a file' };
const DIFFERENT: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'charger-state': OF_EVERY_SERVICE,
  push: { ...OF_EVERY_SERVICE, ...OF_SECRETS },
  'v2-api': { ...OF_EVERY_SERVICE, ...OF_A_PORT, ...OF_SECRETS },
  'legacy-api': { ...OF_EVERY_SERVICE, ...OF_A_PORT },
  'ocpp-gateway': {
    ...OF_EVERY_SERVICE,
    ...OF_A_PORT,
    DRAIN_S: 'other gateways take the chargers over; the compose file has one',
    SHUTDOWN_TIMEOUT_S: 'it follows DRAIN_S',
    OCPP_MAX_CONNECTIONS: 'it follows the memory limit of the values',
    TLS: 'the gateway of the compose file also ends TLS itself, on a port of its own',
    TLS_CERT_FILE: 'as TLS',
    TLS_KEY_FILE: 'as TLS',
    OCPP_PLAIN_PORT: 'as TLS: the port for the proxy',
  },
};
const SERVICES = Object.keys(DIFFERENT);

interface Container {
  readonly command: readonly string[];
  readonly env: readonly { readonly name: string; readonly value?: string }[];
}

interface Compose {
  readonly services: Readonly<
    Record<string, { readonly command: readonly string[]; readonly environment: Readonly<Record<string, string>> }>
  >;
}

const compose = parse(readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8'), { merge: true }) as Compose;
const image = new Map(
  [...readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8').matchAll(/^ENV (.*)$/gm)]
    .flatMap(([, line = '']) => line.split(' '))
    .map((pair) => pair.split('=') as [string, string]),
);

const objects = render(VALUES);

function containerOf(service: string): Container {
  // The compose file names the gateway as its package.
  const name = `${RELEASE}-busbar-${service.replace('ocpp-', '')}`;
  const found = objects.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === name);
  if (found === undefined) throw new Error(`the chart has no Deployment ${name}`);
  return (found as unknown as { spec: { template: { spec: { containers: [Container] } } } }).spec.template.spec
    .containers[0];
}

/** The variables of a service with their defaults, as it prints them. */
function defaultsOf(service: string): ReadonlyMap<string, string> {
  const text = execFileSync(process.execPath, [join(ROOT, 'services', service, 'dist/main.js'), '--help'], {
    encoding: 'utf8',
  });
  return new Map([...text.matchAll(/^#([A-Z0-9_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]));
}

/** Returns the settings of a process. A value in a file is "given", and a default is as if nothing were set. */
function settingsOf(service: string, environment: Readonly<Record<string, string | undefined>>) {
  const defaults = defaultsOf(service);
  const set = Object.entries(environment).map(([name, value = '']): [string, string] => {
    const variable = name.replace(/_FILE$/, '');
    const isInFile = variable !== name && defaults.has(variable);
    if (isInFile) return [variable, 'given'];
    return [name, name.startsWith('BOOTSTRAP_') ? 'given' : value];
  });
  const isSet = ([name, value]: [string, string]): boolean => value !== defaults.get(name) && value !== image.get(name);
  return Object.fromEntries(set.filter(isSet));
}

function ofChart(service: string): Readonly<Record<string, string>> {
  const { env } = containerOf(service);
  return settingsOf(service, Object.fromEntries(env.map(({ name, value }) => [name, value])));
}

function ofCompose(service: string): Readonly<Record<string, string>> {
  return settingsOf(service, compose.services[service]?.environment ?? {});
}

describe.each(SERVICES)('%s in docker-compose.yml and in the chart', (service) => {
  it('runs the same program', () => {
    expect(containerOf(service).command).toEqual(compose.services[service]?.command);
  });

  it('differs in the settings that have a reason, and in no other', () => {
    const [chart, composed] = [ofChart(service), ofCompose(service)];
    const names = [...new Set([...Object.keys(chart), ...Object.keys(composed)])];
    const different = names.filter((name) => chart[name] !== composed[name]);
    expect(different.toSorted()).toEqual(Object.keys(DIFFERENT[service] ?? {}).toSorted());
  });
});

it('has settings to compare', () => {
  expect(ofCompose('v2-api')).toMatchObject({
    BROKER_URL: 'given',
    STORE_URL: 'given',
    BOOTSTRAP_API_KEY: 'given',
    TLS: 'off',
    TRUSTED_PROXIES: PROXY,
  });
});
