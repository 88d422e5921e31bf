// Tests what a platform team runs: the image's content, the compose file, the proxy. Without a container engine their
// content is tested all the same: the build steps in an empty folder, the file as data, the real proxy on its real
// configuration.
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { connectCharger, eventually, FREE_PORTS, findDocumentServer, findRabbitServer } from '@busbar/testing';
import { parse } from 'yaml';
import { http } from './harness/http';
import { openProcessesWorld } from './harness/processes';
import { startProgram } from './harness/program';
import { openProxiedWorld } from './harness/proxied';
import { proxyFound } from './harness/proxy';
import { createSealedRoot, whyNotSealed } from './harness/sealed-root';

const ROOT = join(__dirname, '../..');
const run = promisify(execFile);

interface Compose {
  readonly services: Readonly<
    Record<string, { command?: string[]; environment?: Record<string, string> | Record<string, string>[] }>
  >;
}

describe('the compose file', () => {
  // `merge`: the anchors of the file use YAML's merge keys.
  const compose = parse(readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8'), { merge: true }) as Compose;
  const known = new Set(
    [...readFileSync(join(ROOT, 'deploy/env.example'), 'utf8').matchAll(/^#? ?([A-Z][A-Z0-9_]+)=/gm)].map((m) => m[1]),
  );
  const ours = Object.entries(compose.services).filter(
    ([name]) => !['rabbitmq', 'mongo', 'mongo-setup', 'secrets', 'proxy'].includes(name),
  );

  it('has RabbitMQ, MongoDB, the five services and the proxy', () => {
    expect(Object.keys(compose.services)).toEqual(
      expect.arrayContaining([
        'rabbitmq',
        'mongo',
        'ocpp-gateway',
        'charger-state',
        'push',
        'v2-api',
        'legacy-api',
        'proxy',
      ]),
    );
  });

  it.each(ours)('sets for %s only variables that there are', (_name, service) => {
    for (const variable of Object.keys(service.environment ?? {})) {
      // Any X may be given as X_FILE.
      expect(known.has(variable) || known.has(variable.replace(/_FILE$/, ''))).toBe(true);
    }
  });

  it.each(ours)('starts %s with a file that the build makes', (_name, service) => {
    const file = service.command?.find((part) => part.endsWith('.js') || part.endsWith('.mjs')) ?? '';
    const source = file.replace('/dist/', '/src/').replace(/\.js$/, '.ts');
    expect(existsSync(join(ROOT, source))).toBe(true);
  });
});

describe('the image', () => {
  let directory: string;
  let target: string;
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'busbar-image-'));
    const source = join(directory, 'src');
    target = join(directory, 'app');
    await run('git', ['clone', '--quiet', '--no-hardlinks', ROOT, source]);
    const options = { maxBuffer: 64 * 1024 * 1024 };
    await run('sh', [join(source, 'deploy/image/build.sh'), source], options);
    await run('sh', [join(source, 'deploy/image/assemble.sh'), source, target], options);
    rmSync(source, { recursive: true, force: true });
  }, 600_000);
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it('contains what runs, and nothing of tests, when its own steps build it in an empty folder', () => {
    for (const absent of ['typescript', 'jest', '@swc/core', 'testcontainers', 'npm']) {
      expect(existsSync(join(target, 'node_modules', absent))).toBe(false);
    }
    expect(existsSync(join(target, 'libs/testing/dist'))).toBe(false);
    for (const file of ['healthcheck.mjs', 'make-certificate.mjs']) {
      expect(existsSync(join(target, 'deploy', file))).toBe(true);
    }
    expect(filesOf(join(target, 'services')).filter((file) => /\.(test|contract)\.|\.ts$/.test(file))).toEqual([]);
  });

  it('has the SQLite engine of both architectures', () => {
    const prebuilds = join(target, 'node_modules/@photostructure/sqlite/prebuilds');
    expect(readdirSync(prebuilds)).toEqual(expect.arrayContaining(['linux-arm64', 'linux-x64']));
  });

  it('runs', async () => {
    const settings = { NODE_ENV: 'production', ...FREE_PORTS, STORE_URL: `file:${join(directory, 'data')}` };
    const program = startProgram('all-in-one', settings, target);
    await program.ready();
    const { port } = await program.bound('public');
    expect((await http(`https://127.0.0.1:${String(port)}/v2/openapi.json`)).status).toBe(200);
    expect((await http(`https://127.0.0.1:${String(port)}/v2/docs`)).text).toContain('swagger');
    expect(await program.end('SIGTERM')).toBe(0);
  }, 60_000);

  const itSealed = whyNotSealed === undefined ? it : it.skip;
  itSealed(
    'runs as user 1000 on a read-only root without shell, npm and /tmp',
    async () => {
      const sealed = createSealedRoot(target, join(ROOT, 'deploy/Dockerfile'));
      const store = { STORE_URL: 'file:/app/data' };
      const settings = { ...FREE_PORTS, INTERNAL_HOST: '127.0.0.1', ...store };
      const program = sealed.start(['/app/services/all-in-one/dist/main.js'], settings);
      try {
        await program.ready();
        expect(sealed.run(['/app/tools/admin/dist/main.js', 'smoke'], store)).toContain('Everything works.\n');
        expect(sealed.run(['/app/tools/admin/dist/main.js', 'backup', '/backups/a.db'], store)).toContain('saved');
        expect(readdirSync(sealed.backups).sort()).toEqual(['a.db', 'a.db.sha256']);
        const { port: internal } = await program.bound('internal');
        const probe = { INTERNAL_HOST: '127.0.0.1', INTERNAL_PORT: String(internal) };
        expect(sealed.run(['/app/deploy/healthcheck.mjs'], probe)).toBe('');
        expect(await program.end('SIGTERM')).toBe(0);
        expect(sealed.run(['/app/tools/admin/dist/main.js', 'restore', '/backups/a.db'], store)).toContain('restored');
        for (const service of ['ocpp-gateway', 'charger-state', 'push', 'v2-api', 'legacy-api'])
          expect(sealed.run([`/app/services/${service}/dist/main.js`, '--version'])).toMatch(/^\S+ \d+\.\d+\.\d+/);
        // More rows than SQLite sorts in memory: it needs files for them.
        expect(sealed.run(['-e', SORT])).toBe('user 1000, sorted\n');
      } finally {
        await program.end('SIGKILL');
        sealed.remove();
      }
    },
    300_000,
  );
});

const SORT = `
  const { DatabaseSync } = require('/app/node_modules/@photostructure/sqlite');
  const database = new DatabaseSync('/app/data/large.db');
  database.exec('PRAGMA cache_size = -1000; CREATE TABLE rows (a TEXT)');
  database.exec('WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 300000) INSERT INTO rows SELECT hex(randomblob(50)) FROM c');
  database.exec('CREATE INDEX sorted ON rows (a)');
  console.log('user ' + process.getuid() + ', sorted');
`;

describe('the Dockerfile', () => {
  const dockerfile = readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8');
  const { version, license } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<string, string>;

  it('labels the image with the version and the licence of the package', () => {
    const labels = Object.fromEntries(
      [...dockerfile.matchAll(/org\.opencontainers\.image\.(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
    ) as Record<string, string>;
    expect(labels).toMatchObject({ title: 'Busbar', version, licenses: license });
    expect(labels).toMatchObject({ description: expect.stringMatching(/^\w/) as string });
    expect(labels).toMatchObject({ revision: '${BUSBAR_REVISION:-unknown}' });
    expect(labels).not.toHaveProperty('source');
  });

  it('ends with the user 1000:1000, and without npm', () => {
    const [, final = ''] = dockerfile.split(/^FROM [^\n]*$(?![\s\S]*^FROM )/m);
    expect(final).toMatch(/^USER 1000:1000$/m);
    expect(final).toMatch(/rm -rf lib\/node_modules bin\/npm bin\/npx bin\/corepack/);
  });
});

it('serves health and metrics of the image to its network', () => {
  expect(readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8')).toMatch(/^ENV .*\bINTERNAL_HOST=0\.0\.0\.0\b/m);
});

const missing = [findRabbitServer(), findDocumentServer()].find((found) => found.source === 'none')?.reported;
const reason = missing ?? (proxyFound ? undefined : 'no nginx on this machine');

describe('health and metrics', () => {
  if (missing !== undefined) {
    it.skip(`is skipped: ${missing}`, () => undefined);
    return;
  }

  it('serves them on INTERNAL_HOST, by default on loopback', async () => {
    const parts = ['gateway', 'v2-api', 'legacy-api', 'charger-state'] as const;
    const world = await openProcessesWorld({}, (part) =>
      part === 'charger-state' ? {} : { INTERNAL_HOST: '127.0.0.2' },
    );
    try {
      const hosts = await Promise.all(parts.map(async (part) => (await world.program(part).bound('internal')).host));
      expect(hosts).toEqual(['127.0.0.2', '127.0.0.2', '127.0.0.2', '127.0.0.1']);
      // `bound` gives loopback for all addresses too.
      expect(world.program('charger-state').output()).not.toContain('"host":"0.0.0.0"');
    } finally {
      await world.stop();
    }
  }, 120_000);
});

describe('the proxy', () => {
  if (reason !== undefined) {
    if (process.env['REQUIRE_REAL_SERVERS'] === '1') {
      it('needs real servers', () => {
        throw new Error(reason);
      });
    } else it.skip(`is skipped: ${reason}`, () => undefined);
    return;
  }

  it('makes the services one origin: /v2, /api and chargers’ websockets', async () => {
    const world = await openProxiedWorld();
    const { origin } = world;
    try {
      expect(await world.readyz()).toBe(200);
      const headers = { 'x-api-key': world.apiKey };
      const post = (path: string, body: unknown) => http(`${origin}${path}`, { method: 'POST', headers, body });
      expect((await post('/v2/sites', { name: 'Behind the proxy' })).status).toBe(200);
      expect((await post('/v2/chargers', { name: 'c', chargerId: 'P_1+*' })).status).toBe(200);
      const query = `code=${world.apiKey}&clientId=${world.clientId}`;
      expect((await http(`${origin}/api/statistics?${query}`)).json).toMatchObject({ chargers: 1 });
      const url = `${origin.replace('https', 'wss')}/ocpp/P_1%2B%2A`;
      const charger = await connectCharger({ url });
      expect(await charger.boot()).toMatchObject({ status: 'Accepted' });
      const read = async () => (await http(`${origin}/v2/chargers/P_1%2B%2A`, { headers })).json;
      await eventually(async () => {
        expect(await read()).toMatchObject({ activeConnection: true, manufacturer: 'Example' });
        return true;
      });
      await charger.close();
      // The path reaches the gateway as the charger sent it (rule 6).
      const slashed = await connectCharger({ url: url.replace('/ocpp/', '/ocpp//') });
      expect(await slashed.heartbeat()).toHaveProperty('currentTime');
      await slashed.close();
      const plain = await http(`${origin.replace('https', 'http')}/v2/statistics`, { headers });
      expect(plain).toMatchObject({ status: 403, json: { code: 'https_required' } });
      // Past the proxy the same port says the same.
      const { host, port } = await world.program('v2-api').bound('public');
      const direct = await http(`http://${host}:${String(port)}/v2/statistics`, { headers });
      expect(direct).toMatchObject({ status: 403, json: { code: 'https_required' } });
      expect((await http(`${origin}/elsewhere`)).status).toBe(404);
    } finally {
      await world.stop();
    }
  }, 180_000);
});

function filesOf(directory: string): string[] {
  return readdirSync(directory).flatMap((name) => {
    const path = join(directory, name);
    return statSync(path).isDirectory() ? filesOf(path) : [path];
  });
}
