// Tracing that is off costs nothing: the process does not even load OpenTelemetry's SDK.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { oneProcessEnv } from '@busbar/testing';
import { startProgram } from './harness/program';

/** The interfaces alone, which prom-client loads for exemplars. */
const INTERFACES = '@opentelemetry/api';

/** Prints the packages of OpenTelemetry that the process has loaded, when it ends. Its threads load the hook too. */
const PRINT_LOADED = `if (require('node:worker_threads').isMainThread) process.once('exit', () => {
  const packages = Object.keys(require.cache).map((file) => /(@opentelemetry[\\\\/][^\\\\/]+)/.exec(file)?.[1] ?? '');
  console.log('loaded ' + JSON.stringify([...new Set(packages)].filter((name) => name !== '')));
});`;

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'busbar-e2e-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

async function loadedPackages(env: Readonly<Record<string, string>>): Promise<unknown> {
  const hook = join(directory, 'print-loaded.cjs');
  writeFileSync(hook, PRINT_LOADED);
  const own = oneProcessEnv({ directory, clientId: 'e2e-client', apiKey: 'e2e-key-0123456789abcdef' });
  const program = startProgram('all-in-one', { ...own, ...env, NODE_OPTIONS: `--require "${hook}"` });
  await program.ready();
  expect(await program.end('SIGTERM')).toBe(0);
  const [, loaded = 'nothing printed'] = /^loaded (.*)$/m.exec(program.printed()) ?? [];
  return JSON.parse(loaded);
}

it('loads none of its packages without OTEL_EXPORTER_OTLP_ENDPOINT, but the interfaces', async () => {
  expect(await loadedPackages({})).toEqual([INTERFACES]);
});

it('loads it with an endpoint, also an unreachable one, and stops in order', async () => {
  const loaded = await loadedPackages({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' });
  expect(loaded).toEqual(expect.arrayContaining([INTERFACES, '@opentelemetry/core', '@opentelemetry/sdk-trace']));
});
