// The one process as a shell sees it: what it prints, its data directory, its exit codes, what it refuses to start with.
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, FREE_PORTS } from '@busbar/testing';

const MAIN = join(__dirname, '../../services/all-in-one/dist/main.js');

interface Program {
  readonly child: ChildProcess;
  out(): string;
  err(): string;
  readonly ended: Promise<number | string | null>;
}

let directory: string;
let children: ChildProcess[];
beforeEach(async () => {
  children = [];
  directory = await mkdtemp(join(tmpdir(), 'all-in-one-main-'));
});
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  await rm(directory, { recursive: true, maxRetries: 5 });
});

function start(env: Record<string, string> = {}): Program {
  const child = spawn(process.execPath, [MAIN], {
    cwd: directory,
    env: { PATH: process.env['PATH'] ?? '', ...FREE_PORTS, ...env },
  });
  children.push(child);
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk) => (out += String(chunk)));
  child.stderr.on('data', (chunk) => (err += String(chunk)));
  const ended = new Promise<number | string | null>((resolve) => {
    child.on('close', (code, signal) => resolve(code ?? signal));
  });
  return { child, out: () => out, err: () => err, ended };
}

/** The start failed with this sentence: exit code 1, nothing printed, no stack. */
async function expectRefusal(env: Record<string, string>, sentence: string | RegExp): Promise<void> {
  const { out, err, ended } = start(env);
  expect(await ended).toBe(1);
  expect(out()).toBe('');
  const lines = err()
    .trim()
    .split('\n')
    .filter((line) => !line.startsWith('{"level":"info"'));
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(sentence);
}

it('prints its addresses, uses ./data, and stops in order at a signal', async () => {
  const { child, out, err, ended } = start();
  await eventually(() => out().includes('Documentation'), 30_000);
  expect(out()).toContain(`Data             ${join(directory, 'data')}`);
  // No terminal: what is printed may end in a log that others read.
  expect(out()).toContain(`API key          in ${join(directory, 'data/api-key')}`);
  expect(out() + err()).not.toContain((await readFile(join(directory, 'data/api-key'), 'utf8')).trim());
  child.kill('SIGINT');
  expect(await ended).toBe(0);
  const left = await readdir(join(directory, 'data'));
  const own = ['api-key', 'console-link', 'secrets-key', 'tls-cert.pem', 'tls-key.pem'];
  expect(left.sort()).toEqual(['busbar.db', 'busbar.lock', ...own].sort());
});

it('takes over at the next start after a kill', async () => {
  const first = start();
  await eventually(() => first.out().includes('Documentation'), 30_000);
  first.child.kill('SIGKILL');
  expect(await first.ended).toBe('SIGKILL');
  const second = start();
  await eventually(() => second.out().includes('Documentation'), 30_000);
  expect(second.out()).toContain(`API key          in ${join(directory, 'data/api-key')}`);
});

it('refuses a data directory of another process, with its process id', async () => {
  const first = start();
  await eventually(() => first.out().includes('Documentation'), 30_000);
  const holder = new RegExp(
    `data is in use by process ${String(first.child.pid)} since 2\\d{3}-[^ ]+Z: use that one, stop it`,
  );
  await expectRefusal({}, holder);
  // Before the ports: a second start has the same ones.
  const { port } = JSON.parse(
    first
      .err()
      .split('\n')
      .find((line) => line.includes('"internal"')) ?? '',
  ) as { port: number };
  await expectRefusal({ INTERNAL_PORT: String(port) }, holder);
});

it('reports every wrong variable of one start, each with what is allowed', async () => {
  const { out, err, ended } = start({
    PORT: 'http',
    STORE_URL: 'mongodb://user:hunter2@host/?w=1',
    BOOTSTRAP_API_KEY: 'a-key-of-a-script-01',
    TLS: 'maybe',
    TLS_CERT_FILE: 'cert.pem',
  });
  expect(await ended).toBe(1);
  expect(out()).toBe('');
  expect(err().replace(/is set without.*/, '')).toBe(
    [
      '4 settings are wrong:',
      '- PORT must be a port number from 0 to 65535 (0: any free one) and is "http": correct it, or remove it to have 8443.',
      '- TLS must be one of on, off and is "maybe": correct it, or remove it to have on.',
      '- STORE_URL sets w: acknowledged writes must be in the journals of a majority, so remove it, or set it to majority.',
      '- BOOTSTRAP_API_KEY ',
      '',
    ].join('\n'),
  );
});

it.each([
  ['file:/proc/no/data', /^The data directory \/proc\/no\/data cannot be created \(ENOENT.*\): correct STORE_URL\.$/],
  ['mongodb://user:hunter2@127.0.0.1:1/busbar', /^MongoDB at mongodb:\/\/127\.0\.0\.1:1\/busbar does not answer: /],
  [
    'mongodb://user:hunter2@no-host.invalid/busbar',
    /^MongoDB at mongodb:\/\/no-host\.invalid\/busbar does not answer: /,
  ],
])('reports a store that cannot be opened, without its password: %s', async (url, sentence) => {
  await expectRefusal({ STORE_URL: url }, sentence);
});

it('refuses a port in use, with its variable', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await expectRefusal({ PORT: String(port) }, /^Port \d+ at 127\.0\.0\.1 is taken by another process: .* PORT /);
  await expectRefusal({ OCPP_PLAIN_PORT: String(port) }, /is taken by another process: .* OCPP_PLAIN_PORT /);
  await expectRefusal({ INTERNAL_PORT: String(port) }, /is taken by another process: .* INTERNAL_PORT /);
  await new Promise((resolve) => server.close(resolve));
});

it('reports an unreachable broker', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  await expectRefusal(
    { BROKER_URL: `amqp://127.0.0.1:${String(port)}` },
    /^Cannot use the message broker at .* correct BROKER_URL\.$/,
  );
});

it('refuses an unreadable certificate, with its variable', async () => {
  const [cert, key] = [join(directory, 'cert.pem'), join(directory, 'key.pem')];
  await writeFile(key, 'no key');
  await expectRefusal({ TLS_CERT_FILE: cert, TLS_KEY_FILE: key }, /^TLS_CERT_FILE names .* cannot be read \(ENOENT\)/);
  await writeFile(cert, 'no certificate');
  await expectRefusal({ TLS_CERT_FILE: cert, TLS_KEY_FILE: key }, /^TLS_CERT_FILE names .* holds no certificate/);
});

it.each([
  [{ PORT: 'http' }, /^PORT must be a port number/],
  [{ STORE_URL: 'sqlite:x' }, /^STORE_URL must be a URL/],
  [{ BOOTSTRAP_API_KEY: 'a-key-of-a-script-01' }, /^BOOTSTRAP_API_KEY is set without BOOTSTRAP_CLIENT_ID/],
  [{ TLS: 'off' }, /^TLS is off without TRUSTED_PROXIES/],
])('refuses an invalid variable: %j', async (env, sentence) => {
  await expectRefusal(env, sentence);
});

it('refuses another number of partitions than the first start’s, with the procedure', async () => {
  const first = start({ PARTITIONS: '8' });
  await eventually(() => first.out().includes('Documentation'), 30_000);
  first.child.kill('SIGTERM');
  expect(await first.ended).toBe(0);
  await expectRefusal({ PARTITIONS: '4' }, /^PARTITIONS is 4 and the store was set up with 8: .*partitions set 4/);
});
