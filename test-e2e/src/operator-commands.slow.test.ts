// `smoke` and `backup-every` as programs, against the real service in both ways of running.
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { describeWithServers, eventually } from '@busbar/testing';
import { parse } from 'yaml';
import { openEmbeddedWorld } from './harness/embedded';
import { openProcessesWorld, type ProcessesWorld } from './harness/processes';
import { readV2, registerCharger, v2, type OwnWorld } from './harness/world';

const ROOT = join(__dirname, '../..');
const TOOL = join(ROOT, 'tools/admin/dist/main.js');
const START_MS = 120_000;
const PARTS = ['charger-state', 'push', 'v2-api', 'legacy-api', 'gateway'] as const;

interface Compose {
  readonly services: Readonly<Record<string, { readonly volumes?: readonly string[] }>>;
}

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

let directory: string;
beforeAll(() => (directory = mkdtempSync(join(tmpdir(), 'busbar-operator-'))));
afterAll(() => rmSync(directory, { recursive: true }));

function admin(env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<Ended> {
  return adminWith('', env, ...args);
}

function adminWith(input: string, env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<Ended> {
  const options = { cwd: directory, env: { PATH: process.env['PATH'], ...env } };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [TOOL, ...args], options, (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code), out, err });
    });
    // One that does not read it may have ended.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}

/** The options for a deployment, as a pod has them. */
async function optionsOf(world: OwnWorld, names: readonly string[]): Promise<readonly string[]> {
  const { v2: url, ocpp, metrics } = world.addresses();
  const { origin, hostname: host, port } = new URL(url);
  const [ca, key] = [join(directory, 'ca.pem'), join(directory, 'key')];
  writeFileSync(ca, await certificateOf(host, Number(port)));
  writeFileSync(key, world.apiKey);
  const ready = metrics.map((each, i) => `${names[i] ?? ''}=${each.replace('/metrics', '')}`).join(',');
  return ['smoke', '--ready', ready, '--v2', origin, '--ocpp', ocpp, '--ca', ca, '--key-file', key];
}

function certificateOf(host: string, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connectTls({ host, port, rejectUnauthorized: false }, () => {
      resolve(socket.getPeerX509Certificate()?.toString() ?? '');
      socket.destroy();
    });
    socket.once('error', reject);
  });
}

async function expectNothingLeft(world: OwnWorld): Promise<void> {
  for (const path of ['/chargers', '/sites']) expect((await v2(world, path)).json).toMatchObject({ items: [] });
}

describe('operator commands in one process', () => {
  let world: OwnWorld;
  beforeAll(async () => (world = await openEmbeddedWorld()), START_MS);
  afterAll(() => world.stop(), START_MS);

  it('passes every step of smoke without an option, and revokes its key', async () => {
    const env = { STORE_URL: world.storeUrl };
    const { code, out, err } = await admin(env, 'smoke');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^ok {2}\/readyz of busbar$/m);
    expect(out.trim().split('\n').at(-1)).toBe('Everything works.');
    expect((await admin(env, 'key', 'list')).out).not.toContain('smoke');
    await expectNothingLeft(world);
  });

  it('passes every step of smoke with addresses, authority and key as options', async () => {
    const { code, out } = await admin({}, '--json', ...(await optionsOf(world, ['busbar'])));
    expect(code).toBe(0);
    expect((JSON.parse(out) as { steps: unknown[] }).steps).toHaveLength(11);
    await expectNothingLeft(world);
  });

  it('saves a backup with backup-every that restore takes, and ends with SIGTERM', async () => {
    const { chargerId } = await registerCharger(world);
    const backups = join(directory, 'backups');
    mkdirSync(backups);
    const env = { PATH: process.env['PATH'], STORE_URL: world.storeUrl };
    const args = [TOOL, 'backup-every', '24', '--keep', '2', 'backups'];
    const child = spawn(process.execPath, args, { cwd: directory, env });
    const exit = exitOf(child);
    let out = '';
    child.stdout.on('data', (chunk) => (out += String(chunk)));
    await eventually(() => out.includes('saved to '));
    child.kill('SIGTERM');
    expect(await exit).toBe(0);
    const [file = '', checksum] = readdirSync(backups).sort();
    expect([file, checksum]).toEqual([expect.stringMatching(/^busbar-every-.*Z\.db$/), `${file}.sha256`]);
    const changed = await v2(world, `/chargers/${chargerId}`, {
      method: 'PATCH',
      body: { name: 'Changed afterwards' },
    });
    expect(changed.status).toBe(200);
    expect((await admin({ STORE_URL: world.storeUrl }, 'restore', join(backups, file))).err).toBe('');
    expect(await readV2(world, chargerId)).toMatchObject({ name: 'A charger' });
  });
});

describeWithServers('operator commands in four processes', () => {
  let world: ProcessesWorld;
  beforeAll(async () => (world = await openProcessesWorld()), START_MS);
  afterAll(() => world.stop(), START_MS);

  it('passes every step of smoke', async () => {
    const { code, out, err } = await admin({}, ...(await optionsOf(world, PARTS)));
    expect({ code, err }).toEqual({ code: 0, err: '' });
    for (const part of PARTS) expect(out).toContain(`ok  /readyz of ${part}\n`);
    await expectNothingLeft(world);
  });

  it('takes the key of BOOTSTRAP_API_KEY_FILE in smoke, and tests no charger without a key', async () => {
    const options = (await optionsOf(world, PARTS)).slice(0, -2);
    const keyed = await admin({ BOOTSTRAP_API_KEY_FILE: join(directory, 'key') }, ...options);
    expect(keyed.out).toContain('ok  read activeConnection: true\n');
    const { code, out } = await admin({}, ...options);
    expect(code).toBe(0);
    expect(out).toContain('ok  unknown charger: rejected with 404\nWhat needs no key works.');
  });

  /** Smoke without one of the services, which runs again afterwards. */
  async function smokeWithout(part: (typeof PARTS)[number], options: readonly string[]): Promise<Ended> {
    await world.program(part).end('SIGTERM');
    try {
      return await admin({}, ...options);
    } finally {
      await world.restart('SIGTERM');
    }
  }

  it('passes smoke as deploy/README.md has it for the compose file', async () => {
    const { service, words, input } = composeCommand();
    const { services } = parse(readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8'), { merge: true }) as Compose;
    const own = services[service]?.volumes ?? [];
    expect([input, own.includes('certs:/certs:ro')]).toEqual(['secrets/bootstrap-api-key', true]);
    const options = await optionsOf(world, PARTS);
    // In place of the names within the compose file's networks: where the processes of this test are.
    const { v2: url, ocpp } = world.addresses();
    const there = new Map([
      ['https://proxy:8443', new URL(url).origin],
      ['wss://proxy:8443/ocpp/', ocpp],
      ['/certs/cert.pem', options[options.indexOf('--ca') + 1] ?? ''],
    ]);
    const internals = world.addresses().metrics.map((each) => each.replace('/metrics', ''));
    const moved = words.map(
      (word) =>
        there.get(word) ??
        word.replaceAll(/([a-z0-9-]+)=http:\/\/([a-z0-9-]+):9090/g, (_all, name: string, host: string) => {
          expect(Object.keys(services)).toContain(host);
          const at = PARTS.findIndex((part) => part === host.replace('ocpp-', ''));
          return `${name}=${internals[at] ?? ''}`;
        }),
    );
    const { code, out, err } = await adminWith(world.apiKey, {}, ...moved);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('valid for localhost until');
    expect(out).toContain('ok  read activeConnection: true\n');
  });

  it('names the service that is gone in smoke', async () => {
    const { code, out, err } = await smokeWithout('legacy-api', await optionsOf(world, PARTS));
    expect(code).toBe(1);
    expect(err).toMatch(/^The step "\/readyz of legacy-api" failed: connect ECONNREFUSED .*\.\n$/);
    expect(out).toBe('ok  /readyz of charger-state\nok  /readyz of push\nok  /readyz of v2-api\n');
  });

  it('fails at the unknown charger in smoke where charger-state is gone', async () => {
    const options = await optionsOf(world, PARTS);
    const unasked = options.map((word) => word.replace(/^charger-state=[^,]*,/, ''));
    const { code, err } = await smokeWithout('charger-state', unasked);
    expect({ code, err }).toEqual({
      code: 1,
      err: 'The step "unknown charger" failed: its upgrade got 503 and not 404.\n',
    });
  });
});

/** The command of deploy/README.md for the compose file, without `docker compose exec` and what follows it up to its program. */
function composeCommand(): { readonly service: string; readonly words: readonly string[]; readonly input: string } {
  const readme = readFileSync(join(ROOT, 'deploy/README.md'), 'utf8').replaceAll('\\\n', ' ');
  const [, service = '', text = '', input = ''] =
    /docker compose exec -T (\S+) node tools\/admin\/dist\/main\.js (smoke .*) < (\S+)$/m.exec(readme) ?? [];
  return { service, words: text.split(/\s+/), input };
}

describeWithServers('operator commands in four processes behind a proxy', () => {
  it('passes every step of smoke as a trusted proxy', async () => {
    const env = { TLS: 'off', TLS_CERT_FILE: undefined, TLS_KEY_FILE: undefined, TRUSTED_PROXIES: '127.0.0.1/32' };
    const world = await openProcessesWorld({}, (part) => (part === 'charger-state' ? {} : env));
    try {
      const { v2: url, ocpp, metrics } = world.addresses();
      const ready = metrics.map((each, i) => `${PARTS[i] ?? ''}=${each.replace('/metrics', '')}`).join(',');
      const addresses = ['--v2', new URL(url).origin.replace('https', 'http'), '--ocpp', ocpp.replace('wss', 'ws')];
      const key = { BOOTSTRAP_API_KEY: world.apiKey };
      const { code, out, err } = await admin(key, 'smoke', '--ready', ready, ...addresses);
      expect({ code, err }).toEqual({ code: 0, err: '' });
      expect(out).not.toContain('certificate');
      expect(out).toContain('ok  read activeConnection: true\n');
    } finally {
      await world.stop();
    }
  }, 120_000);
});

function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.once('exit', resolve));
}
