// That the chart agrees with the product it is released with: versions, hooks, the examples and figures of its documents.
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import { CHART, minimalValues, objectsIn, OLDEST, render, valueFiles, type Values } from './helm';
import { environmentOf, objectOf, podOf, podsOf, specOf } from './objects';

const ROOT = join(CHART, '../../..');
const read = (...path: readonly string[]): string => readFileSync(join(ROOT, ...path), 'utf8');
const readme = readFileSync(join(CHART, 'README.md'), 'utf8');

/** Returns a section of the README, without its heading. */
function sectionOf(heading: string): string {
  const [, section = ''] = readme.split(`\n## ${heading}\n`);
  return section.split('\n## ')[0] ?? '';
}

describe('Chart.yaml', () => {
  const chart = parse(readFileSync(join(CHART, 'Chart.yaml'), 'utf8')) as Readonly<Record<string, string>>;
  const { version } = JSON.parse(read('package.json')) as { readonly version: string };

  it('has the version of the product for the chart and for the image', () => {
    expect(chart).toMatchObject({ version, appVersion: version });
  });

  it('asks for the oldest Kubernetes that it is tested with', () => {
    expect(chart['kubeVersion']).toBe(`>=${OLDEST}.0-0`);
  });

  it('has the version that the examples for Argo CD and Flux, and the README, ask for', () => {
    const [application] = objectsIn(read('deploy/chart/busbar/examples/gitops/argocd.yaml'));
    expect(application?.['spec']).toMatchObject({ source: { chart: 'busbar', targetRevision: version } });
    const [repository] = objectsIn(read('deploy/chart/busbar/examples/gitops/flux.yaml'));
    expect(repository?.['spec']).toMatchObject({ ref: { semver: expect.stringContaining(`>=${version} `) as string } });
    expect(readme).toContain(`helm push busbar-${version}.tgz`);
  });
});

it.each(valueFiles().map((file) => [basename(file), file] as const))(
  'has no hook but that of helm test with %s',
  (_name, file) => {
    const hooks = render(file).flatMap(({ kind, metadata }) => {
      const hook = metadata.annotations?.['helm.sh/hook'];
      return hook === undefined ? [] : [`${kind} ${metadata.name}: ${hook}`];
    });
    expect(hooks).toEqual(['Pod charge-busbar-smoke: test']);
  },
);

describe('the first installation in the README', () => {
  const [, text = ''] = /```yaml\n(# my-values\.yaml\n[\s\S]*?)```/.exec(readme) ?? [];
  const objects = render(parse(text) as Values);

  it('renders an Ingress with its certificate', () => {
    expect(specOf(objectOf(objects, 'Ingress'))).toMatchObject({
      tls: [{ hosts: ['charging.example.com'], secretName: 'charging-tls' }],
    });
    expect(environmentOf(podOf(objects, 'v2-api'))).toMatchObject({ TLS: 'off', TRUSTED_PROXIES: '10.244.0.0/16' });
  });

  it('reads every Secret by the keys with which the commands before it make it', () => {
    const before = readme.slice(0, readme.indexOf(text));
    const made = [...before.matchAll(/create secret generic (\S+) (.*)$/gm)].map(
      ([, name = '', literals = '']) =>
        [name, [...literals.matchAll(/--from-literal=([^=]+)=/g)].map(([, key]) => key)] as const,
    );
    const keysOf = new Map(made);
    const mounted = podsOf(objects).flatMap(({ spec }) => spec.volumes ?? []);
    const secrets = mounted.flatMap(({ secret }) => (secret === undefined ? [] : [secret]));
    expect([...new Set(secrets.map(({ secretName }) => secretName))].toSorted()).toEqual([...keysOf.keys()].toSorted());
    for (const { secretName, items = [] } of secrets) {
      expect(keysOf.get(secretName)).toEqual(expect.arrayContaining(items.map(({ key }) => key)));
    }
  });
});

describe('the values for spot nodes in the README', () => {
  const [, text = ''] = /```yaml\n(# spot\.yaml\n[\s\S]*?)```/.exec(sectionOf('Stop, upgrade, rollback')) ?? [];
  const NOTICE_S = 25;

  it.each([
    ['plain', {}],
    ['with TLS', { tls: { certificate: { existingSecret: 'tls' } } }],
  ])(
    'lets a gateway (%s) drain within the notice, with as many connections as may close in that time',
    (_way, more) => {
      const values = parse(text) as Values;
      const environment = environmentOf(podOf(render(minimalValues({ ...values, ...more })), 'gateway'));
      const [delayS, drainS] = [Number(environment['SHUTDOWN_DELAY_S']), Number(environment['DRAIN_S'])];
      expect(delayS).toBeGreaterThan(0);
      expect(delayS + drainS).toBeLessThan(NOTICE_S - 5);
      const { replicas, settings } = values['gateway'] as {
        replicas: number;
        settings: { OCPP_MAX_CONNECTIONS: number };
      };
      expect((replicas * settings.OCPP_MAX_CONNECTIONS) / drainS).toBe(1_000);
    },
  );
});

describe('the connections of a gateway in the README', () => {
  const section = sectionOf('Scaling');
  const number = (text: string | undefined): number => Number(text?.replaceAll(',', ''));
  const ways = [{ tls: { certificate: { existingSecret: 'tls' } } }, {}];
  const gateway = (limit: string, more: Values): Readonly<Record<string, string>> =>
    environmentOf(
      podOf(render(minimalValues({ ...more, gateway: { resources: { limits: { memory: limit } } } })), 'gateway'),
    );

  it('follows from the memory limit', () => {
    const rows = [...section.matchAll(/^\| (\d+[MG]i)\S* .*?\| ([\d,]+) +\| ([\d,]+) +\|$/gm)];
    expect(rows.length).toBeGreaterThan(3);
    for (const [, limit = '', ...written] of rows) {
      const rendered = ways.map((way) => Number(gateway(limit, way)['OCPP_MAX_CONNECTIONS']));
      expect([limit, ...rendered]).toEqual([limit, ...written.map(number)]);
    }
    const [, , tls, plain] = rows.find(([, limit]) => limit === '512Mi') ?? [];
    expect(read('deploy/README.md')).toContain(
      `${tls ?? ''} with TLS, ${plain ?? ''} plain, for each gateway of 512 MiB`,
    );
  });

  it('fits with the largest number into the limits beside it', () => {
    const [, connections, ...limits] =
      /OCPP_MAX_CONNECTIONS: (\d+)`, and a limit of (\d+)Mi with TLS, (\d+)Mi without/.exec(section) ?? [];
    const settings = { OCPP_MAX_CONNECTIONS: Number(connections) };
    for (const [index, limit] of limits.entries()) {
      const values = (memory: number): Values =>
        minimalValues({
          ...ways[index],
          gateway: { settings, resources: { limits: { memory: `${String(memory)}Mi` } } },
        });
      expect(podOf(render(values(Number(limit))), 'gateway').owner.kind).toBe('Deployment');
      expect(() => render(values(Number(limit) - 10))).toThrow('or a smaller OCPP_MAX_CONNECTIONS');
    }
  });
});

describe('the way to the release on kind in README.md', () => {
  const objects = render(join(CHART, 'examples/kind.yaml'));

  it.each(['v2-api', 'chargers'])('leads to a port of the Service of %s', (name) => {
    const [, port] =
      new RegExp(`kubectl port-forward service/busbar-${name} (?:\\d+:)?(\\d+)`).exec(read('README.md')) ?? [];
    const { ports } = specOf(objectOf(objects, 'Service', `-${name}`)) as unknown as {
      ports: { port: number; name: string }[];
    };
    expect(ports.find((each) => each.port === Number(port))?.name).toBe('https');
  });
});

describe('the backups in the README', () => {
  const section = sectionOf('Backups');

  it('has the URL of a user with a role of its own, without a database, from the Secret of the command', () => {
    const [, name, url] = /create secret generic (\S+) --from-literal=url='([^']+)'/.exec(section) ?? [];
    expect(new URL(url ?? '').pathname).toBe('/');
    const [, text = ''] = /```yaml\n(backup: [\s\S]*?)```/.exec(section) ?? [];
    const pod = podOf(render(minimalValues(parse(text) as Values)), 'mongodump');
    const secrets = (pod.spec.volumes ?? []).flatMap(({ secret }) => (secret === undefined ? [] : [secret]));
    expect(secrets).toMatchObject([{ secretName: name, items: [{ key: 'url' }] }]);
  });
});

describe('the example eks', () => {
  const objects = render(join(CHART, 'examples/eks.yaml'));
  const { annotations = {} } = objectOf(objects, 'Service', '-chargers').metadata;
  const environment = environmentOf(podOf(objects, 'gateway'));
  const prefix = 'service.beta.kubernetes.io/aws-load-balancer';
  const attribute = (list: string, name: string): string | undefined =>
    (annotations[`${prefix}-${list}`] ?? '')
      .split(',')
      .find((each) => each.startsWith(`${name}=`))
      ?.slice(name.length + 1);

  it('deregisters a target no sooner than its gateway has drained', () => {
    const stopS = Number(environment['SHUTDOWN_DELAY_S']) + Number(environment['DRAIN_S']);
    expect(stopS).toBeGreaterThan(0);
    const delayS = Number(attribute('target-group-attributes', 'deregistration_delay.timeout_seconds'));
    expect(delayS).toBeGreaterThanOrEqual(stopS);
  });

  it('keeps the sockets of an unready target, and the addresses of chargers', () => {
    const of = (name: string) => attribute('target-group-attributes', name);
    expect(of('target_health_state.unhealthy.connection_termination.enabled')).toBe('false');
    expect(of('preserve_client_ip.enabled')).toBe('true');
    expect(annotations[`${prefix}-nlb-target-type`]).toBe('ip');
  });

  it('closes an idle socket later than the next ping', () => {
    const pingS =
      environment['OCPP_PING_INTERVAL_S'] ?? /^#OCPP_PING_INTERVAL_S=(\d+)$/m.exec(read('deploy/env.example'))?.[1];
    const idleS = Number(attribute('listener-attributes.TCP-8443', 'tcp.idle_timeout.seconds'));
    expect(Number(pingS)).toBeGreaterThan(0);
    expect(idleS).toBeGreaterThan(Number(pingS));
  });
});

describe('the memory of a charger', () => {
  const performance = read('docs/performance.md');
  /** KB of the one process and of a gateway, from the figures for operators. */
  const figures = (row: string): readonly number[] => {
    const line =
      performance.split('\n').find((each) => each.startsWith(`| memory for each idle charger, ${row} `)) ?? '';
    return [...line.matchAll(/(\d+) KB/g)].map(([, kilobytes]) => Number(kilobytes));
  };
  const [plain = 0, plainGateway = 0] = figures('plain ws');
  const [tls = 0, tlsGateway = 0] = figures('TLS');

  it('is the measured one in every document', () => {
    expect(read('deploy/README.md')).toContain(
      `${String(plain)} KB of memory a plain charger, ${String(tls)} KB with TLS`,
    );
    expect(read('docs/operations.md')).toContain(`${String(plain)} KB plain, ${String(tls)} KB TLS for each charger`);
    expect(read('docs/operations.md')).toContain(`${String(plainGateway)} KB plain, ${String(tlsGateway)} KB TLS;`);
    for (const text of [read('deploy/README.md'), readme]) {
      expect(text).toMatch(
        new RegExp(`${String(plainGateway)} KB (?:of memory )?an idle plain socket, ${String(tlsGateway)} KB with TLS`),
      );
    }
  });

  it.each([
    { title: 'plain sockets of a gateway', kilobytes: plainGateway, component: 'gateway', values: minimalValues({}) },
    {
      title: 'TLS sockets of a gateway',
      kilobytes: tlsGateway,
      component: 'gateway',
      values: minimalValues({ tls: { certificate: { existingSecret: 'tls' } } }),
    },
    {
      title: 'plain sockets of the one process',
      kilobytes: plain,
      component: 'all-in-one',
      values: { mode: 'allInOne', ingress: { trustedProxies: ['10.244.0.0/16'] } },
    },
    { title: 'TLS sockets of the one process', kilobytes: tls, component: 'all-in-one', values: { mode: 'allInOne' } },
  ])('fits into 70 % of the limit for so many $title', ({ kilobytes, component, values }) => {
    const limits = { resources: { limits: { memory: '512Mi' } } };
    const key = component === 'gateway' ? component : 'allInOne';
    const pod = podOf(render({ ...values, [key]: limits }), component);
    const { OCPP_MAX_CONNECTIONS: connections, NODE_OPTIONS: options } = environmentOf(pod);
    const heapMiB = Number(/--max-old-space-size=(\d+)/.exec(options ?? '')?.[1]);
    const neededMiB = 150 + (Number(connections) * kilobytes) / 1024;
    expect(kilobytes).toBeGreaterThan(0);
    expect(neededMiB).toBeLessThanOrEqual(heapMiB);
    // No fewer than fit, but for a margin of a quarter.
    expect(neededMiB).toBeGreaterThan(150 + (heapMiB - 150) * 0.75);
  });
});
