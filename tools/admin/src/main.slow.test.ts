// The built program (tools/build.mjs), as one types it.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@busbar/core';
import { createStorePlatform, type StorePlatform } from '@busbar/runtime';
import { createAdminServer } from '@busbar/operations';
import { createRecordingLogger } from '@busbar/testing';

const MAIN = join(__dirname, '../dist/main.js');
const logger = createRecordingLogger();
let folder: string;
let data: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'admin-tool-'));
  data = join(folder, 'data');
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

const admin = (...args: string[]): Promise<Ended> => adminWith('', ...args);

function adminWith(input: string, ...args: string[]): Promise<Ended> {
  const env = { PATH: process.env['PATH'], STORE_URL: `file:${data}` };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [MAIN, ...args], { cwd: folder, env }, (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code), out, err });
    });
    // One that does not read it may have ended.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}

async function withStore(work: (platform: StorePlatform) => Promise<void>): Promise<void> {
  const platform = createStorePlatform(`file:${data}`, { logger, clock: systemClock });
  await platform.start();
  try {
    await work(platform);
  } finally {
    await platform.stop();
  }
}

it('shows the usage without a command', async () => {
  const { code, out } = await admin();
  expect(code).toBe(0);
  expect(out).toContain('client create NAME');
  expect(out).toContain('charger authentication set CHARGER_ID');
});

it('refuses an unknown command in one sentence, with exit code 2', async () => {
  await withStore(() => Promise.resolve());
  expect(await admin('client', 'destroy')).toEqual({
    code: 2,
    out: '',
    err: 'Unknown command: client destroy. There are: client create, client list, client set.\n',
  });
});

it('does not create a missing data directory', async () => {
  const { code, err } = await admin('client', 'list');
  expect(code).toBe(1);
  expect(err).toContain(`There is no data in ${data}`);
});

it('opens the data file without a running process', async () => {
  await withStore(() => Promise.resolve());
  const made = await admin('--json', 'client', 'create', 'Acme');
  expect(made.err).toBe('');
  expect(JSON.parse(made.out)).toMatchObject({ key: expect.stringMatching(/^bb_/) as string });
  expect((await admin('client', 'list')).out).toContain('Acme');
});

it('lets a running process run the command, with file names relative to the caller', async () => {
  await withStore(async (platform) => {
    const context = {
      records: platform.records,
      clock: systemClock,
      backup: (file: string) => writeFile(file, 'saved'),
    };
    const server = createAdminServer({ directory: data, logger, context });
    await server.start();
    try {
      expect((await admin('client', 'create', 'Acme')).code).toBe(0);
      expect(await platform.records.clients.list()).toHaveLength(1);
      expect((await admin('backup', 'here.db')).code).toBe(0);
      expect(await readFile(join(folder, 'here.db'), 'utf8')).toBe('saved');
    } finally {
      await server.stop();
    }
  });
});

it('takes a password from standard input or a file, and one on the command line with a warning', async () => {
  const lines: unknown[] = [];
  await mkdir(data, { mode: 0o700 });
  const server = createServer((socket) => {
    socket.on('data', (chunk) => {
      lines.push((JSON.parse(String(chunk)) as { line: unknown }).line);
      socket.end('{"ok":true,"lines":[]}\n');
    });
  });
  await new Promise<void>((resolve) => server.listen(join(data, 'admin.sock'), resolve));
  const set = ['charger', 'authentication', 'set', 'ACME_1'];
  try {
    expect(await adminWith('from-input\n', ...set, '--password-file', '-')).toEqual({ code: 0, out: '', err: '' });
    expect((await admin(...set, '--password-file=secret')).err).toBe('');
    const typed = await admin(...set, '--password', 'typed-by-hand');
    expect(typed.err).toMatch(/^Warning: other users .* --password-file - for standard input\.\n$/);
    expect(typed.err).not.toContain('typed-by-hand');
    expect(lines).toEqual([
      [...set, '--password', 'from-input'],
      [...set, `--password-file=${join(folder, 'secret')}`],
      [...set, '--password', 'typed-by-hand'],
    ]);
    const empty = { code: 1, out: '', err: 'Standard input holds no secret.\n' };
    expect(await adminWith('', ...set, '--authorization-key-file=-')).toEqual(empty);
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
});

it.each([
  ['--json', '--password-file', '-'],
  ['--help', '--password-file=-'],
  ['-h', '--password-file', '-'],
  ['--password-file', '--password-file', '-'],
  ['-', '--password-file', '-'],
])('takes a password on standard input that looks like an option: %s', async (password, ...option) => {
  const lines: unknown[] = [];
  await mkdir(data, { mode: 0o700 });
  const server = createServer((socket) => {
    socket.on('data', (chunk) => {
      lines.push((JSON.parse(String(chunk)) as { line: unknown }).line);
      socket.end('{"ok":true,"lines":["done"]}\n');
    });
  });
  await new Promise<void>((resolve) => server.listen(join(data, 'admin.sock'), resolve));
  const set = ['charger', 'authentication', 'set', 'ACME_1'];
  try {
    expect(await adminWith(`${password}\n`, ...set, ...option)).toEqual({ code: 0, out: 'done\n', err: '' });
    expect(lines).toEqual([[...set, '--password', password]]);
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
});

it('names a process that has the data without an administration socket', async () => {
  await withStore(async () => {
    const { code, err } = await admin('client', 'list');
    expect(code).toBe(1);
    expect(err).toMatch(new RegExp(`process ${String(process.pid)}`));
    expect(err.trim().split('\n')).toHaveLength(1);
  });
});

it('restores the data of the backup', async () => {
  await withStore(() => Promise.resolve());
  await admin('client', 'create', 'before');
  await admin('backup', 'saved.db');
  expect((await admin('backup', 'saved.db')).err).toContain(`${join(folder, 'saved.db')} exists`);
  expect((await admin('backup', '--force', 'saved.db')).err).toBe('');
  await admin('client', 'create', 'after');
  const restored = await admin('restore', 'saved.db');
  expect(restored.err).toBe('');
  expect(restored.out).toContain('connection orders and transaction ids continue 1000000 above those of the backup');
  const { out } = await admin('client', 'list');
  expect(out).toContain('before');
  expect(out).not.toContain('after');
});

it('raises the counters of a store that other tools restored', async () => {
  await withStore(() => Promise.resolve());
  const refused = await admin('counters', 'raise');
  expect(refused).toMatchObject({ code: 2, out: '' });
  expect(refused.err).toContain('Add --yes to confirm.');
  const { out, err } = await admin('--json', 'counters', 'raise', '--yes');
  expect(err).toBe('');
  expect(JSON.parse(out)).toEqual({ chargers: 0, raisedBy: 1_000_000 });
});
