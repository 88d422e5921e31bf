// The program itself against a running one-process mode.
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { askRunningProcess } from '@busbar/operations';
import { eventually, FREE_PORTS } from '@busbar/testing';

const ROOT = join(__dirname, '../../..');
const NODE = ['--conditions=source', '--require', require.resolve('tsx/cjs')];
let directory: string;
let service: ChildProcess | undefined;
let printed: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'simulate-'));
  printed = '';
  const env = { PATH: process.env['PATH'] ?? '', ...FREE_PORTS };
  service = spawn(process.execPath, [...NODE, join(ROOT, 'services/all-in-one/src/main.ts')], { cwd: directory, env });
  service.stdout?.on('data', (chunk) => (printed += String(chunk)));
  await eventually(() => printed.includes('Documentation'), 30_000);
}, 60_000);
afterAll(async () => {
  const ended = new Promise((resolve) => service?.once('exit', resolve));
  service?.kill('SIGTERM');
  await ended;
  await rm(directory, { recursive: true, maxRetries: 5 });
});

function simulate(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  return new Promise((resolve) => {
    const env = { PATH: process.env['PATH'] };
    execFile(
      process.execPath,
      [...NODE, join(__dirname, 'main.ts'), ...args],
      { cwd: directory, env },
      (error, out, err) => resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    );
  });
}

async function ask<T>(line: string): Promise<T> {
  return (await askRunningProcess(join(directory, 'data'), line.split(' ')))?.data as T;
}

test.each(['idle', 'day', 'storm'])(
  '%s: chargers are registered with a key that is gone afterwards, connect, and are disconnected at the end',
  async (scenario) => {
    const args = [
      '--register',
      '--chargers',
      '3',
      '--scenario',
      scenario,
      '--prefix',
      `S-${scenario}`,
      '--duration',
      '2',
    ];
    const { code, out, err } = await simulate(...args);
    expect(err).toBe('');
    expect(code).toBe(0);
    expect(out.trim().split('\n').at(-1)).toMatch(/^connected 0\/3 {2}connections [1-9].* unanswered 0 /);
    expect(await ask('key list')).toMatchObject([{ name: 'first key' }]);
    const chargers = await ask<{ chargerId: string; lastSeen: string | null }[]>('charger list');
    const own = chargers.filter(({ chargerId }) => chargerId.startsWith(`S-${scenario}_`));
    expect(own).toHaveLength(3);
    for (const charger of own)
      expect(charger).toMatchObject({ activeConnection: false, lastSeen: expect.any(String) as string });
  },
);

test('chargers of an earlier run are taken as they are, also over plain ws', async () => {
  const { plainOcpp } = await ask<{ plainOcpp: string }>('address');
  const args = ['--register', '--chargers', '2', '--scenario', 'idle', '--duration', '1', '--url', plainOcpp];
  expect(await simulate(...args)).toMatchObject({ code: 0, err: '' });
  const again = await simulate(...args);
  expect(again).toMatchObject({ code: 0, err: '' });
  expect(again.out).toContain('connections 2  failures 0');
});

test('chargers that nobody registered are refused, and counted so', async () => {
  const { code, out } = await simulate('--chargers', '1', '--prefix', 'NOBODY', '--duration', '1');
  expect(code).toBe(0);
  expect(out).toMatch(/connections 0 {2}failures [1-9]/);
});

test.each([
  [['--scenario', 'night'], '--scenario is one of idle, day, storm.\n'],
  [['--register', '--client', 'nobody'], 'There is no client nobody.\n'],
])('%j is refused in one sentence', async (args, sentence) => {
  expect(await simulate(...args)).toMatchObject({ code: 1, err: sentence });
});
