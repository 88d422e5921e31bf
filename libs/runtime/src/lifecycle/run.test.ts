// Real child processes of what is built (tools/build.mjs): under test is what a shell or a container engine sees.
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask, eventually } from '@busbar/testing';

interface Program {
  readonly child: ChildProcess;
  out(): string;
  err(): string;
  /** The exit code, or the signal's name. */
  readonly ended: Promise<number | string | null>;
}

const BUILT = join(__dirname, '../../dist');
const RUN = JSON.stringify(join(BUILT, 'lifecycle/run'));
const LIFECYCLE = JSON.stringify(join(BUILT, 'lifecycle/lifecycle'));
const LISTENER = JSON.stringify(join(BUILT, 'lifecycle/process-listener'));
const SETTINGS = JSON.stringify(join(BUILT, 'settings/shared-settings'));
const running: ChildProcess[] = [];
let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'run-'));
});
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
  rmSync(directory, { recursive: true });
});

/** A process whose service has this for its `start` and `stop`. It prints "serving" once it has started. */
function program(
  parts: { start?: string; stop?: string },
  env: Record<string, string> = {},
  args: string[] = [],
): Program {
  const file = join(directory, 'main.js');
  writeFileSync(
    file,
    `const { run } = require(${RUN});
     const { processSettings } = require(${SETTINGS});
     const { createLifecycle } = require(${LIFECYCLE});
     const { createProcessListener } = require(${LISTENER});
     const net = require('node:net');
     void run({
       name: 'test',
       settings: processSettings({ shutdownTimeoutS: 10 }),
       create: (context) => {
         const details = { ok: 'Everything runs.', failing: 'It starts or stops.' };
         const running = { name: 'process', isOk: () => all.running(), details };
         const all = createLifecycle({
           name: 'test',
           logger: context.logger,
           services: [createProcessListener(context, { service: 'test', checks: () => [running] }), {
             name: 'work',
             startWithinMs: 60_000,
             ready: () => true,
             async start() { ${parts.start ?? ''}; setInterval(() => {}, 1000); process.stdout.write('serving\\n'); },
             async stop() { ${parts.stop ?? ''}; process.stdout.write('stopped\\n'); },
           }],
           stopWithinMs: 60_000,
         });
         return all;
       },
     });`,
  );
  const child = spawn(process.execPath, [file, ...args], {
    env: { PATH: process.env['PATH'] ?? '', INTERNAL_PORT: '0', ...env },
  });
  running.push(child);
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk) => (out += String(chunk)));
  child.stderr.on('data', (chunk) => (err += String(chunk)));
  const ended = new Promise<number | string | null>((resolve) => {
    child.on('close', (code, signal) => resolve(code ?? signal));
  });
  return { child, out: () => out, err: () => err, ended };
}

async function serving(parts: { start?: string; stop?: string }, env: Record<string, string> = {}): Promise<Program> {
  const started = program(parts, env);
  await eventually(() => started.out().includes('serving'));
  return started;
}

function messagesOf(log: string): string[] {
  return log
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { msg: string }).msg);
}

/** Its URL, from the log. */
function internalPort(log: string): string {
  return `http://127.0.0.1:${/"port":(\d+)/.exec(log)?.[1] ?? 'none'}`;
}

async function statusOf(url: string): Promise<number> {
  return (await ask(url)).status;
}

it.each([
  ['--version', /^test \d+\.\d+\.\d+( \([0-9a-f]+(-dirty)?\))?\n$/],
  ['--help', /^#LOG_LEVEL=info$/m],
])('prints with %s, and runs nothing', async (argument, printed) => {
  const { out, err, ended } = program({}, {}, [argument]);
  expect(await ended).toBe(0);
  expect(out()).toMatch(printed);
  expect(out()).not.toContain('serving');
  expect(err()).toBe('');
});

it('refuses an unknown argument in one sentence', async () => {
  const { err, ended } = program({}, {}, ['--port=1']);
  expect(await ended).toBe(1);
  expect(err()).toBe(
    'Unknown argument "--port=1": there are --version and --help. Settings are environment variables; --help lists them.\n',
  );
});

it('begins its log with the version', async () => {
  const { child, err, ended } = await serving({});
  expect(JSON.parse(err().split('\n')[0] ?? '')).toMatchObject({
    msg: 'starting',
    name: 'test',
    version: expect.stringMatching(/^\d+\.\d+\.\d+/) as string,
  });
  child.kill('SIGTERM');
  await ended;
});

it.each([
  ['SIGTERM', '0'],
  ['SIGINT', '120'],
] as const)('stops the service in order at %s, with exit code 0, at SHUTDOWN_DELAY_S=%s', async (signal, delay) => {
  const { child, out, ended } = await serving({}, { SHUTDOWN_DELAY_S: delay });
  child.kill(signal);
  expect(await ended).toBe(0);
  expect(out()).toBe('serving\nstopped\n');
});

it('counts the same signal again at once as one: npm forwards the signal of the terminal', async () => {
  const again = "process.kill(process.pid, 'SIGINT')";
  const { child, ended } = await serving({ stop: `${again}; await new Promise((done) => setTimeout(done, 100))` });
  child.kill('SIGINT');
  expect(await ended).toBe(0);
});

it('ends the process at once at another signal, also right after the first one', async () => {
  const { child, err, ended } = await serving({}, { SHUTDOWN_DELAY_S: '120' });
  child.kill('SIGTERM');
  await eventually(() => messagesOf(err()).includes('unready from now on: stopping after the delay'));
  child.kill('SIGINT');
  expect(await ended).toBe(130);
});

it('responds 200 at /livez and 503 at /readyz while a service starts, however long its migration takes', async () => {
  const { err, out } = program({ start: 'await new Promise(() => {})' });
  await eventually(() => messagesOf(err()).includes('listening'));
  const internal = internalPort(err());
  expect(await statusOf(`${internal}/livez`)).toBe(200);
  expect(await statusOf(`${internal}/readyz`)).toBe(503);
  expect(out()).toBe('');
});

it('responds 503 at /readyz during the stop, and ends the process at once at a second signal', async () => {
  const { child, out, err, ended } = await serving({ stop: 'await new Promise(() => {})' });
  const internal = internalPort(err());
  child.kill('SIGTERM');
  await eventually(() => messagesOf(err()).includes('stopping'));
  expect(await statusOf(`${internal}/readyz`)).toBe(503);
  expect(await statusOf(`${internal}/livez`)).toBe(200);
  const again = setInterval(() => child.kill('SIGTERM'), 100);
  expect(await ended).toBe(143);
  clearInterval(again);
  expect(out()).not.toContain('stopped');
});

it('is unready from SIGTERM on and serves on for SHUTDOWN_DELAY_S; a second signal ends it at once', async () => {
  const { child, out, err, ended } = await serving({}, { SHUTDOWN_DELAY_S: '120' });
  const internal = internalPort(err());
  expect(await statusOf(`${internal}/readyz`)).toBe(200);
  child.kill('SIGTERM');
  await eventually(async () => (await statusOf(`${internal}/readyz`)) === 503);
  expect(await statusOf(`${internal}/livez`)).toBe(200);
  expect(await statusOf(`${internal}/metrics`)).toBe(200);
  expect(out()).toBe('serving\n');
  const again = setInterval(() => child.kill('SIGTERM'), 100);
  expect(await ended).toBe(143);
  clearInterval(again);
  expect(out()).toBe('serving\n');
});

it('stops in order, with exit code 0, after SHUTDOWN_DELAY_S: SHUTDOWN_TIMEOUT_S counts from its end', async () => {
  const { child, out, err, ended } = await serving({}, { SHUTDOWN_DELAY_S: '2', SHUTDOWN_TIMEOUT_S: '1' });
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(out()).toBe('serving\nstopped\n');
  expect(messagesOf(err()).slice(-3)).toEqual(['unready from now on: stopping after the delay', 'stopping', 'stopped']);
});

it('ends SHUTDOWN_DELAY_S at an uncaught error', async () => {
  const start = "process.on('SIGTERM', () => setImmediate(() => { throw new Error('a defect') }))";
  const { child, out, ended } = await serving({ start }, { SHUTDOWN_DELAY_S: '120' });
  child.kill('SIGTERM');
  expect(await ended).toBe(1);
  expect(out()).toBe('serving\nstopped\n');
});

it('leaves a service that does not stop after SHUTDOWN_TIMEOUT_S, with exit code 1', async () => {
  const { child, err, ended } = await serving({ stop: 'await new Promise(() => {})' }, { SHUTDOWN_TIMEOUT_S: '1' });
  child.kill('SIGTERM');
  expect(await ended).toBe(1);
  expect(err()).toContain('did not stop in time');
});

it('stops what was started at a signal while starting, with exit code 0', async () => {
  const { child, out, ended } = program({
    start: "process.stdout.write('starting\\n'); await new Promise((resolve) => setTimeout(resolve, 60_000).unref())",
  });
  await eventually(() => out().includes('starting'));
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(out()).toBe('starting\nstopped\n');
});

it('ends at an invalid variable with one sentence, exit code 1 and no stack', async () => {
  const { out, err, ended } = program({}, { LOG_LEVEL: 'loud' });
  expect(await ended).toBe(1);
  expect(err()).toBe(
    'LOG_LEVEL must be one of error, warn, info, debug and is "loud": correct it, or remove it to have info.\n',
  );
  expect(out()).toBe('');
});

it('ends at a port in use with one sentence, exit code 1 and no stack', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const { err, ended } = program({
    start: `await new Promise((resolve, reject) =>
      net.createServer().on('error', reject).listen(${String(port)}, '127.0.0.1', resolve))`,
  });
  expect(await ended).toBe(1);
  server.close();
  expect(err().split('\n').slice(2).join('\n')).toBe(
    `Port ${String(port)} at 127.0.0.1 is taken by another process: stop that one or choose another.\n`,
  );
});

it('logs an unknown error at the start with its stack, and ends with exit code 1', async () => {
  const { err, ended } = program({ start: "throw new TypeError('a defect')" });
  expect(await ended).toBe(1);
  const line = JSON.parse(err().trim().split('\n').at(-1) ?? '') as {
    level: string;
    err: { message: string; stack: string };
  };
  expect(line).toMatchObject({ level: 'error', err: { message: 'a defect' } });
  expect(line.err.stack).toContain('main.js');
});

it.each([
  ['setTimeout(() => { throw new Error("a defect") }, 10)'],
  ['setTimeout(() => { void Promise.reject(new Error("a defect")) }, 10)'],
])('logs an uncaught error, stops the service, and ends with exit code 1: %s', async (start) => {
  const { out, err, ended } = program({ start });
  expect(await ended).toBe(1);
  expect(out()).toBe('serving\nstopped\n');
  expect(err()).toContain('a defect');
});
