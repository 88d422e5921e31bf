// The built program (tools/build.mjs) against a running one-process mode.
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { askRunningProcess } from '@busbar/operations';
import { ask, createAuthority, eventually, FREE_PORTS } from '@busbar/testing';

const ROOT = join(__dirname, '../../..');
const EXAMPLES = join(__dirname, '../examples');
const MAIN = join(__dirname, '../dist/main.js');
/** Each test starts programs. */
const WITHIN_MS = 60_000;
let directory: string;
let service: ChildProcess | undefined;
let programs: ChildProcess[];
let key: string;
let origin: string;

interface Run {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

interface SessionRecord {
  readonly transactionId: number;
  readonly state: string;
  readonly stopReason: string | null;
}

jest.setTimeout(WITHIN_MS);

beforeAll(async () => {
  programs = [];
  directory = await mkdtemp(join(tmpdir(), 'simulate-'));
  let printed = '';
  const env = { PATH: process.env['PATH'] ?? '', ...FREE_PORTS };
  service = spawn(process.execPath, [join(ROOT, 'services/all-in-one/dist/main.js')], { cwd: directory, env });
  service.stdout?.on('data', (chunk) => (printed += String(chunk)));
  // The service waits for a reader of its log.
  service.stderr?.resume();
  await eventually(() => printed.includes('Documentation'), 30_000);
  ({ key } = await administer<{ key: string }>('key create --name test'));
  ({ http: origin } = await administer<{ http: string }>('address'));
});
afterAll(async () => {
  // A test that failed may have left one.
  for (const program of programs) program.kill('SIGKILL');
  const ended = new Promise((resolve) => service?.once('exit', resolve));
  service?.kill('SIGTERM');
  await ended;
  await rm(directory, { recursive: true, maxRetries: 5 });
});

/** Starts the program; `ended` resolves with its code and output. */
function start(...args: string[]): { child: ChildProcess; ended: Promise<Run>; printed: () => string } {
  const env = { PATH: process.env['PATH'] };
  let printed = '';
  let child: ChildProcess | undefined;
  const ended = new Promise<Run>((resolve) => {
    child = execFile(process.execPath, [MAIN, ...args], { cwd: directory, env }, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    );
    child.stdout?.on('data', (chunk) => (printed += String(chunk)));
  });
  if (child === undefined) throw new Error('the program did not start');
  programs.push(child);
  return { child, ended, printed: () => printed };
}

function simulate(...args: string[]): Promise<Run> {
  return start(...args).ended;
}

async function administer<T>(line: string): Promise<T> {
  return (await askRunningProcess(join(directory, 'data'), line.split(' ')))?.data as T;
}

async function call(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
  const reply = await ask(`${origin}/v2${path}`, { method, headers: { 'x-api-key': key }, body });
  if (reply.status !== 200) throw new Error(`${method} ${path}: ${String(reply.status)} ${reply.text}`);
  return reply.json();
}

/** A file with these steps. */
async function scriptOf(...steps: string[]): Promise<string> {
  const file = join(directory, 'script.yaml');
  await writeFile(file, ['steps:', ...steps.map((step) => `  - ${step}`)].join('\n'));
  return file;
}

async function lastSession(chargerId: string): Promise<SessionRecord | undefined> {
  const { items } = (await call('GET', `/sessions?chargerIds=${chargerId}`)) as { items: SessionRecord[] };
  return items[0];
}

it.each(['idle', 'day', 'storm'])(
  'registers chargers with a key that is revoked afterwards, connects them, and disconnects them at the end: %s',
  async (scenario) => {
    const args = ['--chargers', '3', '--scenario', scenario, '--prefix', `S-${scenario}`, '--duration', '2'];
    const { code, out, err } = await simulate('--register', ...args);
    expect(err).toBe('');
    expect(code).toBe(0);
    expect(out.trim().split('\n').at(-1)).toMatch(/^Ended: [1-9]\d* connections, .*, [1-9]\d* messages, failures 0$/);
    expect(await administer('key list')).toMatchObject([{ name: 'first key' }, { name: 'test' }]);
    const chargers = await administer<{ chargerId: string; lastSeen: string | null }[]>('charger list');
    const own = chargers.filter(({ chargerId }) => chargerId.startsWith(`S-${scenario}_`));
    expect(own).toHaveLength(3);
    for (const charger of own)
      expect(charger).toMatchObject({ activeConnection: false, lastSeen: expect.any(String) as string });
  },
);

it('takes chargers of an earlier run as they are, also over plain ws and with a key', async () => {
  const { plainOcpp } = await administer<{ plainOcpp: string }>('address');
  const file = await scriptOf('connect', 'boot');
  const args = ['--register', '--chargers', '2', '--scenario', file, '--url', plainOcpp];
  expect(await simulate(...args)).toMatchObject({ code: 0, err: '' });
  const again = await simulate(...args, '--key', key, '--api', origin);
  expect(again).toMatchObject({ code: 0, err: '' });
  expect(again.out).toMatch(/^Ended: 2 connections, .* failures 0$/m);
});

it('connects chargers with their password, and is refused without it', async () => {
  const file = await scriptOf('connect', 'boot');
  const args = ['--prefix', 'PW', '--scenario', file];
  const known = await simulate(...args, '--register', '--password', 'correct horse');
  expect(known.out).toMatch(/^Ended: 1 connection, .* failures 0$/m);
  const { code, out } = await simulate(...args);
  expect(code).toBe(1);
  expect(out).toContain('PW_1: 401 wrong or missing password: give --password TEXT');
});

it.each([
  [['--prefix', 'NOBODY'], 'NOBODY_1: 404 unknown charger: add --register'],
  [['--url', 'ws://127.0.0.1:1/'], 'SIM_1: connection refused: is `npm start` running'],
])('shows refusals with the reason and what to do: %j', async (args, reason) => {
  const { code, out } = await simulate('--scenario', await scriptOf('connect'), ...args);
  expect(code).toBe(1);
  expect(out).toContain(reason);
});

it('exits with 1 when the time is up and no charger has connected', async () => {
  const { code, out } = await simulate('--url', 'ws://127.0.0.1:1/', '--chargers', '1', '--duration', '1');
  expect(out).toMatch(/^Ended: 0 connections/m);
  expect(code).toBe(1);
});

it('does not trust a certificate of another authority than --ca', async () => {
  const file = join(directory, 'ca.pem');
  await writeFile(file, (await createAuthority('Another')).cert);
  const { out } = await simulate('--scenario', await scriptOf('connect'), '--ca', file);
  expect(out).toContain('SIM_1: certificate not trusted: give its authority with --ca FILE');
});

it('obeys commands, traces frames, and ends sessions at Ctrl-C with exit code 0', async () => {
  const { child, ended, printed } = start(
    '--register',
    '--chargers',
    '1',
    '--prefix',
    'OBEY',
    '--scenario',
    'idle',
    '--trace',
  );
  await eventually(() => printed().includes('"connectorId":2,"status":"Available"'));
  await call('POST', '/chargers/OBEY_1/start-charging', { socketId: 2, rfidTag: 'SIMTAG1' });
  await eventually(async () => (await lastSession('OBEY_1'))?.state === 'ongoing');
  child.kill('SIGINT');
  const { code, out } = await ended;
  expect(code).toBe(0);
  expect(out).toMatch(/^\d\d:\d\d:\d\d\.\d{3} {2}OBEY_1 {2}← {2}\[2,"\w+","RemoteStartTransaction",/m);
  expect(out).toMatch(/^Ended: 1 connection, 1 session, .* failures 0$/m);
  expect(await eventually(async () => (await lastSession('OBEY_1'))?.stopReason ?? undefined)).toBe('Local');
});

it('175. has chargers of all three versions, whose sessions the service begins, ends and resets', async () => {
  const { child, ended } = start(
    ...['--register', '--chargers', '3', '--prefix', 'MIX', '--ocpp', 'mixed', '--scenario', 'idle'],
  );
  const ids = ['MIX_1', 'MIX_2', 'MIX_3'];
  const charger = (id: string): Promise<Record<string, unknown>> => call('GET', `/chargers/${id}`).catch(() => ({}));
  const isAvailable = async (id: string): Promise<boolean> => {
    const { sockets } = (await charger(id)) as { sockets?: { status: string }[] };
    return sockets?.filter(({ status }) => status === 'Available').length === 2;
  };
  for (const id of ids) await eventually(() => isAvailable(id), 20_000);
  expect(await Promise.all(ids.map(async (id) => (await charger(id))['ocppVersion']))).toEqual([
    'ocpp1.6',
    'ocpp2.0.1',
    'ocpp2.1',
  ]);
  for (const [i, id] of ids.entries()) {
    await call('POST', `/chargers/${id}/start-charging`, { socketId: 2, rfidTag: `SIMTAG${String(i + 1)}` });
    const session = await eventually(async () => {
      const last = await lastSession(id);
      return last?.state === 'ongoing' ? last : undefined;
    });
    expect(session).toMatchObject({ startedBy: 'remote', socketId: 2 });
    await call('POST', `/chargers/${id}/stop-transaction`, { transactionId: session.transactionId });
    await eventually(async () => (await lastSession(id))?.stopReason === 'Remote');
    const { chargerConfigurations: configuration } = (await call(
      'GET',
      `/chargers/${id}/configuration?refresh=true`,
    )) as {
      chargerConfigurations: object[];
    };
    expect(configuration.length).toBeGreaterThan(10);
    await call('POST', `/chargers/${id}/reset`, { type: 'Hard' });
  }
  const { items } = (await call('GET', `/sessions/${String((await lastSession('MIX_3'))?.transactionId)}/events`)) as {
    items: { triggerReason: string }[];
  };
  expect(items.map(({ triggerReason }) => triggerReason)).toEqual([
    'RemoteStart',
    'ChargingStateChanged',
    'RemoteStop',
  ]);
  const bootReason = async () => (await charger('MIX_3'))['bootReason'] === 'RemoteReset';
  await eventually(bootReason, 20_000);
  child.kill('SIGINT');
  expect((await ended).out).toMatch(/^Ended: [56] connections, 3 sessions, .* failures 0$/m);
});

it('runs the example charge.yaml to its end', async () => {
  const { code, out, err } = await simulate(
    '--register',
    '--prefix',
    'EX',
    '--scenario',
    join(EXAMPLES, 'charge.yaml'),
  );
  expect(err).toBe('');
  expect(out.match(/^FAILED.*\n.*/gm)).toBeNull();
  expect(code).toBe(0);
});

it('runs the example remote-start.yaml to its end while an integrator calls the API', async () => {
  const file = join(EXAMPLES, 'remote-start.yaml');
  const { ended, printed } = start('--register', '--prefix', 'RS', '--scenario', file);
  await eventually(() => printed().includes('ok       2. boot'));
  await call('POST', '/chargers/RS_1/start-charging', { socketId: 1, rfidTag: 'SCRIPT-TAG-1' });
  await eventually(() => printed().includes('ok       3. expect'));
  await call('POST', '/chargers/RS_1/charging-profile', {
    socketId: 1,
    chargingProfile: {
      chargingProfileId: 1,
      stackLevel: 0,
      chargingProfilePurpose: 'TxProfile',
      chargingProfileKind: 'Relative',
      chargingSchedule: { chargingRateUnit: 'W', chargingSchedulePeriod: [{ startPeriod: 0, limit: 4000 }] },
    },
  });
  // Each step holds only until the next call.
  await eventually(() => printed().includes('ok       4. expect'));
  const session = await eventually(() => lastSession('RS_1'));
  await call('POST', '/chargers/RS_1/stop-transaction', { transactionId: session.transactionId });
  await eventually(() => printed().includes('ok       5. expect'));
  await call('POST', '/chargers/RS_1/reset', { type: 'Soft' });
  const { code, out } = await ended;
  expect(out.match(/^FAILED.*\n.*/gm)).toBeNull();
  expect(code).toBe(0);
  expect(await lastSession('RS_1')).toMatchObject({ state: 'ended', stopReason: 'Remote' });
});

it('ends with exit code 1 when an expectation of a script fails', async () => {
  const file = await scriptOf('connect: { refused: 404 }', 'expect: { connected: true, within: 0 }');
  const { code, out } = await simulate('--scenario', file, '--prefix', 'NOBODY');
  expect(code).toBe(1);
  expect(out).toContain('ok       1. connect {"refused":404}\nFAILED   2. expect');
  expect(out).toContain('NOBODY_1: expected connected true, found false');
});

it('names the version with --version', async () => {
  expect((await simulate('--version')).out).toMatch(/^simulate \d+\.\d+\.\d+/);
});

it.each([
  [['--scenario', 'night'], '--scenario is one of idle, day, storm, or a file that ends in .yaml, .yml or .json.\n'],
  [['--scenario', 'missing.yaml'], /^--scenario missing\.yaml cannot be read: ENOENT/],
  [['--register', '--client', 'nobody'], 'There is no client nobody.\n'],
  [['--trace', 'SIM_11'], '--trace SIM_11 is no charger of this run: they are SIM_1 to SIM_10.\n'],
])('refuses %j in one sentence', async (args, sentence) => {
  const { code, err } = await simulate(...args);
  expect(code).toBe(1);
  expect(err).toMatch(sentence);
});
