// The compose file as data, and the scripts around it as they run: what a container engine would do is not shown here.
import { execFile } from 'node:child_process';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createContext, runInContext } from 'node:vm';
import { createAuthority } from '@busbar/testing';
import { parse } from 'yaml';
import { http } from './harness/http';
import { proxyFound, startProxy } from './harness/proxy';

const ROOT = join(__dirname, '../..');
const run = promisify(execFile);
const text = readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8');

interface Service {
  readonly image: string;
  readonly user?: string;
  readonly command?: readonly string[];
  readonly cap_drop?: readonly string[];
  readonly cap_add?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly read_only?: boolean;
  readonly tmpfs?: readonly string[];
  readonly pids_limit?: number;
  readonly mem_limit?: string;
  readonly restart?: string;
  readonly logging?: { readonly options: Readonly<Record<string, string>> };
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly environment?: Readonly<Record<string, string>> | readonly Readonly<Record<string, string>>[];
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly networks?: readonly string[] | Readonly<Record<string, { readonly ipv4_address?: string }>>;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly networks: Readonly<
    Record<string, { readonly internal?: boolean; readonly ipam?: { config: readonly Record<string, string>[] } }>
  >;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

const compose = parse(text, { merge: true }) as Compose;
const services = Object.entries(compose.services);
const ONE_SHOT = new Set(['secrets', 'certificates', 'mongo-setup']);
const OURS = ['charger-state', 'push', 'v2-api', 'legacy-api', 'ocpp-gateway'];

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'busbar-compose-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function serviceOf(name: string): Service {
  const service = compose.services[name];
  if (service === undefined) throw new Error(`no service ${name}`);
  return service;
}

function environmentOf({ environment = {} }: Service): Readonly<Record<string, string>> {
  return environment as Readonly<Record<string, string>>;
}

describe('every container of the compose file', () => {
  it.each(services)(
    'runs %s without capabilities and new privileges, with a read-only root and limits',
    (name, service) => {
      expect(service.cap_drop).toEqual(['ALL']);
      expect(service.cap_add ?? []).toEqual(name === 'secrets' ? ['DAC_OVERRIDE', 'CHOWN', 'FOWNER'] : []);
      expect(service.security_opt).toEqual(['no-new-privileges:true']);
      expect(service.read_only).toBe(true);
      expect(service.tmpfs?.[0]).toMatch(/^\/tmp:size=/);
      expect(service.pids_limit).toEqual(expect.any(Number));
      expect(service.mem_limit).toMatch(/^\d+[mg]$/);
      expect(service.logging?.options).toMatchObject({ 'max-size': '20m', 'max-file': '5' });
    },
  );

  it.each(services)('does not run %s as root, except the one that creates secrets', (name, { user, image }) => {
    // The image of the services names its own user.
    const isRoot = user === '0' || (user === undefined && image !== 'busbar:local');
    expect(isRoot).toBe(name === 'secrets');
    expect(readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8')).toMatch(/^USER 1000:1000$/m);
  });

  it.each(services.filter(([name]) => !ONE_SHOT.has(name)))('has a health check: %s', (name, service) => {
    expect(service.restart).toBe('unless-stopped');
    const test = service.healthcheck?.test.join(' ') ?? '';
    if (OURS.includes(name)) expect(test).toBe('CMD node deploy/healthcheck.mjs');
    else expect(test).not.toBe('');
  });

  it.each(services)('waits until its dependencies are healthy, or done: %s', (_name, service) => {
    for (const [needed, { condition }] of Object.entries(service.depends_on ?? {})) {
      const expected = ONE_SHOT.has(needed) ? 'service_completed_successfully' : 'service_healthy';
      expect([needed, condition]).toEqual([needed, expected]);
    }
  });

  it.each(services)('has an image of an exact version, which a digest may replace: %s', (_name, { image }) => {
    expect(image).toMatch(/^(busbar:local|\$\{[A-Z]+_IMAGE:-[a-z]+:\d+\.\d+\.\d+\})$/);
  });

  it('finds its secrets in files, and none in the file itself', () => {
    expect(text).not.toMatch(/\/\/\w+:\w+@/);
    for (const [name, service] of services) {
      const names = Object.keys(environmentOf(service)).filter((each) => /PASSWORD|API_KEY|_URL/.test(each));
      expect([name, names.filter((each) => !each.endsWith('_FILE'))]).toEqual([name, []]);
    }
  });
});

describe('the networks of the compose file', () => {
  it('gives the proxy the one trusted address, and no other container that address', () => {
    const { ipv4_address: address } =
      (serviceOf('proxy').networks as Record<string, { ipv4_address?: string }>)['edge'] ?? {};
    expect(address).toBe('10.87.0.10');
    for (const name of ['v2-api', 'legacy-api', 'ocpp-gateway']) {
      expect(environmentOf(serviceOf(name))['TRUSTED_PROXIES']).toBe('10.87.0.10/32');
    }
    // Addresses that are given out begin at .128.
    expect(compose.networks['edge']?.ipam?.config).toEqual([{ subnet: '10.87.0.0/24', ip_range: '10.87.0.128/25' }]);
  });

  it('keeps RabbitMQ and MongoDB from the proxy and from outside', () => {
    expect(compose.networks['backend']).toEqual({ internal: true });
    for (const name of ['rabbitmq', 'mongo', 'mongo-setup']) expect(serviceOf(name).networks).toEqual(['backend']);
    expect(Object.keys(serviceOf('proxy').networks ?? {})).toEqual(['outside', 'edge']);
  });

  it('gives a way out to push and to what publishes a port, and to no other service', () => {
    expect(compose.networks['edge']?.internal).toBe(true);
    const isOutside = (service: Service): boolean =>
      Object.keys(service.networks ?? {}).includes('outside') ||
      Object.values(service.networks ?? {}).includes('outside');
    expect(services.filter(([, service]) => isOutside(service)).map(([name]) => name)).toEqual([
      'push',
      'ocpp-gateway',
      'proxy',
    ]);
    const published = services.filter(([, { ports }]) => ports !== undefined);
    expect(published.every(([, service]) => isOutside(service))).toBe(true);
  });
});

describe('the secrets', () => {
  const generate = () => run('sh', [join(ROOT, 'deploy/compose/secrets.sh'), join(directory, 'secrets')]);
  const read = (name: string) => readFileSync(join(directory, 'secrets', name), 'utf8').trim();

  it('generates with one command all that the compose file names, for their owner alone, and prints none', async () => {
    const { stdout } = await generate();
    const files = readdirSync(join(directory, 'secrets'));
    for (const { file } of Object.values(compose.secrets)) expect(files).toContain(file.replace('./secrets/', ''));
    for (const file of files) {
      expect((statSync(join(directory, 'secrets', file)).mode & 0o777).toString(8)).toBe('600');
      for (const line of read(file).split('\n')) expect(stdout).not.toContain(line);
    }
    expect((statSync(join(directory, 'secrets')).mode & 0o777).toString(8)).toBe('700');
    expect(read('broker-url')).toBe(`amqp://busbar:${read('rabbitmq-password')}@rabbitmq:5672/busbar`);
    expect(read('rabbitmq.conf')).toContain(`default_pass = ${read('rabbitmq-password')}\n`);
    expect(read('store-url')).toBe(`mongodb://busbar:${read('mongo-password')}@mongo:27017/busbar?replicaSet=rs0`);
    // Between 6 and 1,024 characters of base64, as MongoDB has it.
    expect(read('mongo-keyfile')).toMatch(/^[0-9a-f]{756}$/);
    expect(read('bootstrap-api-key')).toMatch(/^bb_[0-9a-f]{48}$/);
  });

  it('keeps them when the command runs again, and generates others in another directory', async () => {
    await generate();
    const first = new Map(readdirSync(join(directory, 'secrets')).map((name) => [name, read(name)]));
    await generate();
    for (const [name, content] of first) expect(read(name)).toBe(content);
    rmSync(join(directory, 'secrets'), { recursive: true });
    await generate();
    for (const [name, content] of first) expect(read(name)).not.toBe(content);
  });

  const asRoot = process.getuid?.() === 0 ? it : it.skip;
  asRoot('are handed to each service for its user alone, again and again', async () => {
    await generate();
    const target = join(directory, 'handed');
    const mounts = (serviceOf('secrets').volumes ?? []).filter((volume) => volume.includes(':/handed/'));
    for (const mount of mounts) mkdirSync(join(target, mount.replace(/.*:\/handed\//, '')), { recursive: true });
    const handOut = () => run('sh', [join(ROOT, 'deploy/compose/hand-out.sh'), join(directory, 'secrets'), target]);
    await handOut();
    await handOut();
    const handed = Object.fromEntries(
      readdirSync(target).map((service) => {
        const { uid, mode } = statSync(join(target, service));
        expect(mode & 0o077).toBe(0);
        const files = readdirSync(join(target, service));
        for (const file of files) {
          const stats = statSync(join(target, service, file));
          expect([file, stats.uid, stats.mode & 0o777]).toEqual([file, uid, 0o400]);
        }
        return [service, [uid, ...files.sort()]];
      }),
    );
    expect(handed).toEqual({
      rabbitmq: [999, 'rabbitmq.conf'],
      mongo: [999, 'mongo-keyfile', 'mongo-password', 'mongo-root-password'],
      'charger-state': [1000, 'broker-url', 'store-url'],
      push: [1000, 'broker-url', 'secrets-key', 'store-url'],
      'ocpp-gateway': [1000, 'broker-url'],
      apis: [1000, 'bootstrap-api-key', 'broker-url', 'secrets-key', 'store-url'],
      certs: [1000],
    });
  });

  it('lets services read them from their volume', () => {
    const volumes = { 'v2-api': 'apis', 'legacy-api': 'apis', 'mongo-setup': 'mongo' } as Record<string, string>;
    for (const name of [...OURS, 'rabbitmq', 'mongo', 'mongo-setup']) {
      expect(serviceOf(name).volumes).toContain(`secrets-${volumes[name] ?? name}:/secrets:ro`);
    }
  });
});

async function serve(host: string, listener: RequestListener): Promise<{ port: number; close(): Promise<void> }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  return { port, close: () => new Promise<void>((resolve) => server.close(() => resolve())) };
}

it('makes the key of the certificate readable by its owner alone', async () => {
  await run(process.execPath, [join(ROOT, 'deploy/make-certificate.mjs'), directory, 'localhost']);
  expect((statSync(join(directory, 'key.pem')).mode & 0o777).toString(8)).toBe('600');
});

describe('the certificate', () => {
  const conf = () => join(directory, 'self-signed.conf');
  const make = (environment: Readonly<Record<string, string>> = {}) =>
    run(process.execPath, [join(ROOT, 'deploy/make-certificate.mjs'), directory, 'localhost'], {
      env: { ...process.env, ...environment },
    });

  it('is recognized by its issuer at each start: a configured one has no leftover of the self-signed one', async () => {
    await make();
    expect(readFileSync(conf(), 'utf8')).toBe('proxy_hide_header Strict-Transport-Security;\n');
    const issued = await (await createAuthority('Example CA')).issue('localhost', { names: ['localhost'] });
    writeFileSync(join(directory, 'cert.pem'), issued.cert);
    writeFileSync(join(directory, 'key.pem'), issued.key);
    await make();
    expect(readdirSync(directory).sort()).toEqual(['cert.pem', 'key.pem']);
    expect(readFileSync(join(directory, 'cert.pem'), 'utf8')).toBe(issued.cert);
  });

  it('is for TLS_NAMES too: a self-signed one that lacks a name is replaced with the same key, one of an authority is not', async () => {
    await make();
    const key = readFileSync(join(directory, 'key.pem'), 'utf8');
    const named = () => make({ TLS_NAMES: 'charging.example.com, 192.0.2.10' });
    expect((await named()).stdout).toContain('lacked charging.example.com, 192.0.2.10');
    const certificate = new X509Certificate(readFileSync(join(directory, 'cert.pem')));
    for (const name of ['localhost', 'charging.example.com']) expect(certificate.checkHost(name)).toBe(name);
    for (const address of ['127.0.0.1', '192.0.2.10']) expect(certificate.checkIP(address)).toBe(address);
    expect(certificate.checkPrivateKey(createPrivateKey(key))).toBe(true);
    expect((await named()).stdout).toContain('is there already');
    const issued = await (await createAuthority('Example CA')).issue('localhost', { names: ['localhost'] });
    writeFileSync(join(directory, 'cert.pem'), issued.cert);
    await named();
    expect(readFileSync(join(directory, 'cert.pem'), 'utf8')).toBe(issued.cert);
    await expect(make({ TLS_NAMES: 'not a name' })).rejects.toMatchObject({
      stderr: 'TLS_NAMES: not a name is no host name or address. Write them as a.example.com,192.0.2.10\n',
    });
    expect(environmentOf(serviceOf('certificates'))).toEqual({ TLS_NAMES: '${TLS_NAMES:-}' });
  });

  if (!proxyFound && process.env['REQUIRE_REAL_SERVERS'] !== '1') {
    it.skip('is skipped: no nginx on this machine', () => undefined);
    return;
  }

  it.each([
    ['self-signed', undefined],
    ['of an authority', 'max-age=31536000'],
  ])('sends Strict-Transport-Security through the proxy as configured: %s', async (kind, expected) => {
    const hsts = { 'strict-transport-security': 'max-age=31536000', 'x-other': 'stays' };
    const upstream = await serve('127.0.0.1', (_request, response) => response.writeHead(200, hsts).end());
    const authority = await createAuthority('Example CA');
    const pair = kind === 'self-signed' ? undefined : await authority.issue('localhost', { addresses: ['127.0.0.1'] });
    const address = `127.0.0.1:${String(upstream.port)}`;
    const names = ['ocpp-gateway:8080', 'v2-api:8443', 'legacy-api:8443'];
    const proxy = await startProxy(Object.fromEntries(names.map((name) => [name, address])), pair);
    try {
      for (const path of ['/v2/sites', '/api/statistics', '/ocpp/A']) {
        const { headers } = await http(`${proxy.origin}${path}`);
        expect([path, headers['x-other'], headers['strict-transport-security']]).toEqual([path, 'stays', expected]);
      }
    } finally {
      await proxy.stop();
      await upstream.close();
    }
  });
});

(proxyFound ? describe : describe.skip)('the proxy', () => {
  it('leads / and the console to v2-api, with path and host as the browser sent them', async () => {
    const upstream = await serve('127.0.0.1', (request, response) => {
      response.end(`${String(request.headers.host)} ${String(request.url)}`);
    });
    const proxy = await startProxy({ 'v2-api:8443': `127.0.0.1:${String(upstream.port)}` });
    try {
      const { host } = new URL(proxy.origin);
      for (const path of ['/', '/console', '/console/', '/console/chargers/A%2FB?tab=frames', '/console/session'])
        expect((await http(`${proxy.origin}${path}`)).text).toBe(`${host} ${path}`);
      for (const path of ['/consolex', '/nowhere', '/docs'])
        expect((await http(`${proxy.origin}${path}`)).status).toBe(404);
    } finally {
      await proxy.stop();
      await upstream.close();
    }
  });
});

describe('the health check of a service', () => {
  const check = (port: number, env: Readonly<Record<string, string>> = {}) =>
    run(process.execPath, [join(ROOT, 'deploy/healthcheck.mjs')], { env: { ...env, INTERNAL_PORT: String(port) } });

  it('passes while /readyz responds 200, and fails with the reason otherwise', async () => {
    let status = 200;
    const server = await serve('127.0.0.1', (request, response) => {
      response.statusCode = request.url === '/readyz' ? status : 404;
      const store = {
        name: 'store',
        ok: false,
        required: true,
        since: '2026-01-01T00:00:00.000Z',
        detail: 'It is shut.',
      };
      response.end(JSON.stringify({ ready: false, checks: [store, { name: 'broker', ok: false, required: false }] }));
    });
    await check(server.port);
    status = 503;
    await expect(check(server.port)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('responded 503; store since 2026-01-01T00:00:00.000Z: It is shut.\n') as string,
    });
    await server.close();
    await expect(check(server.port)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('ECONNREFUSED') as string,
    });
  });

  it.each([
    ['127.0.0.2', '127.0.0.2'],
    ['127.0.0.1', '0.0.0.0'],
    ['127.0.0.1', ''],
    ['::1', '::1'],
    ['::1', '::'],
  ])('asks %s where INTERNAL_HOST is %j', async (host, setting) => {
    const server = await serve(host, (_request, response) => response.end());
    try {
      await check(server.port, { INTERNAL_HOST: setting });
    } finally {
      await server.close();
    }
  });
});

describe('the images', () => {
  it('pins them by digest with one command, which keeps the rest of .env', async () => {
    const docker = join(directory, 'docker');
    const digest = `sha256:${'a'.repeat(64)}`;
    // As `docker pull --quiet TAG` and `docker image inspect --format … TAG` answer: a digest for each repository.
    const other = `mirror.example/copy@sha256:${'b'.repeat(64)}`;
    writeFileSync(
      docker,
      `#!/bin/sh\n[ "$1" = pull ] && exit 0\nfor tag; do :; done\nprintf '%s\\n' "${other}" "\${tag%:*}@${digest}" ''\n`,
      { mode: 0o755 },
    );
    const file = join(directory, '.env');
    writeFileSync(file, 'BOOTSTRAP_CLIENT_ID=acme\nMONGO_IMAGE=mongo:old\n', { mode: 0o600 });
    const env = { PATH: `${directory}:${process.env['PATH'] ?? ''}` };
    const pin = () => run('sh', [join(ROOT, 'deploy/compose/pin.sh'), file], { env });
    await pin();
    await pin();
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    const pins = [...text.matchAll(/\$\{([A-Z]+_IMAGE):-([^}]+)\}/g)].map(
      ([, name, tag]) => `${name ?? ''}=${tag ?? ''}@${digest}`,
    );
    expect(lines).toEqual(['BOOTSTRAP_CLIENT_ID=acme', ...lines.slice(1)]);
    expect(lines.slice(1).sort()).toEqual([...new Set(pins)].sort());
    expect(pins.length).toBeGreaterThanOrEqual(4);
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
  });

  it('does not pin them where docker names no digest, and leaves .env as it is', async () => {
    writeFileSync(join(directory, 'docker'), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
    const file = join(directory, '.env');
    writeFileSync(file, 'MONGO_IMAGE=mongo:old\n');
    const env = { PATH: `${directory}:${process.env['PATH'] ?? ''}` };
    await expect(run('sh', [join(ROOT, 'deploy/compose/pin.sh'), file], { env })).rejects.toMatchObject({
      code: 1,
      stderr: 'docker names no digest of rabbitmq:4.1.2: pull it from its registry\n',
    });
    expect(readFileSync(file, 'utf8')).toBe('MONGO_IMAGE=mongo:old\n');
  });

  it('builds them on the version that the compose file names', () => {
    const [, tag] = /NODE_IMAGE:-([^}]+)\}/.exec(text) ?? [];
    const dockerfile = readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8');
    expect(dockerfile).toContain(`ARG NODE_IMAGE=${tag ?? 'none'}\n`);
    expect(dockerfile.match(/^FROM .*/gm)).toEqual(['FROM ${NODE_IMAGE} AS build', 'FROM ${NODE_IMAGE}']);
  });
});

describe('MongoDB of the compose file', () => {
  it('runs with users and as a replica set', () => {
    const command = serviceOf('mongo').command?.join(' ') ?? '';
    expect(command).toContain('--replSet rs0 --keyFile /secrets/mongo-keyfile');
  });

  it.each([
    ['mongodump', '', '--oplog --gzip --archive'],
    ['mongorestore', 'the archive', '--oplogReplay --drop --gzip --archive'],
  ])('is backed up and restored by the command of the documents: %s', async (tool, input, options) => {
    const operations = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8');
    const [, command = ''] =
      new RegExp(`^docker compose (exec -T mongo bash -c 'exec ${tool} [^']*')`, 'm').exec(operations) ?? [];
    writeFileSync(join(directory, 'mongo-root-password'), 'root-secret\n');
    // The container's shell with the tool in it, which says what it was given.
    writeFileSync(join(directory, 'docker'), '#!/bin/sh\nshift 3\nexec "$@"\n', { mode: 0o755 });
    const fakeTool =
      '#!/bin/bash\nwhile [ "$1" ]; do [ "$1" = --config ] && { shift; cat "$1"; } || echo "$1"; shift; done; cat\n';
    writeFileSync(join(directory, tool), fakeTool, { mode: 0o755 });
    writeFileSync(join(directory, 'archive'), input);
    const script = `docker compose ${command} < archive`
      .replace('/secrets/', `${directory}/`)
      .replace('compose exec', 'exec');
    const env = { PATH: `${directory}:${process.env['PATH'] ?? ''}` };
    const { stdout } = await run('sh', ['-c', script], { cwd: directory, env });
    const host = ['--host', 'rs0/mongo:27017', '--username', 'root', '--authenticationDatabase', 'admin'];
    expect(stdout).toBe([...host, 'password: root-secret', ...options.split(' '), input].join('\n'));
    expect(operations).toContain('docker compose run --rm --no-deps charger-state node tools/admin/dist/main.js');
  });

  interface World {
    initiated: number;
    user: { pwd?: string; roles?: unknown } | undefined;
  }

  /** The script in a shell of which it uses what mongosh has; it cannot run here itself. */
  function setUp(world: World): void {
    const database = {
      getUser: () => world.user ?? null,
      createUser: ({ pwd, roles }: { pwd: string; roles: unknown }) => (world.user = { pwd, roles }),
      updateUser: (_name: string, { pwd, roles }: { pwd: string; roles: unknown }) => (world.user = { pwd, roles }),
    };
    const admin = {
      adminCommand() {
        if (world.initiated > 0) throw Object.assign(new Error('already initialized'), { code: 23 });
        world.initiated += 1;
      },
      hello: () => ({ isWritablePrimary: true }),
      getSiblingDB: () => database,
    };
    let refusals = 2;
    const connect = (url: string): typeof admin => {
      if ((refusals -= 1) >= 0) throw new Error('connection refused');
      expect(url).toBe('mongodb://root:root-secret@mongo:27017/admin?directConnection=true');
      return admin;
    };
    const print = (): void => undefined;
    const globals = { connect, print, sleep: print, require, process: { env: { SECRETS: directory } } };
    runInContext(readFileSync(join(ROOT, 'deploy/compose/replica-set.js'), 'utf8'), createContext(globals));
  }

  it('is initiated once, and its user gets the password that is in the file', () => {
    writeFileSync(join(directory, 'mongo-root-password'), 'root-secret\n');
    writeFileSync(join(directory, 'mongo-password'), 'first\n');
    const world: World = { initiated: 0, user: undefined };
    setUp(world);
    expect(world).toEqual({ initiated: 1, user: { pwd: 'first', roles: [{ role: 'readWrite', db: 'busbar' }] } });
    writeFileSync(join(directory, 'mongo-password'), 'second\n');
    setUp(world);
    expect(world).toMatchObject({ initiated: 1, user: { pwd: 'second' } });
  });
});
