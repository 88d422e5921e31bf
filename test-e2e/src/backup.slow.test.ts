// The commands of docs/operations.md for docker-compose.yml, as they stand there: upgrade, backup and restore. In place of
// `docker` runs a program that does what each command means to the four processes of a test, with the services, the environment
// and the secrets of the compose file. MongoDB's own tools cannot run on its stand-in, so a copy by the store takes their place.
import { execFile, type ExecFileException } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { systemClock } from '@busbar/core';
import { createStorePlatform } from '@busbar/runtime';
import { allCollections, and, type Document, type Store } from '@busbar/store';
import { createRecordingLogger, describeWithServers, eventually } from '@busbar/testing';
import { parse } from 'yaml';
import { openProcessesWorld, type ProcessesWorld } from './harness/processes';
import { connect, readV2, registerCharger, terminateChargers, v2 } from './harness/world';

const ROOT = join(__dirname, '../..');
const START_MS = 120_000;
const OURS = ['ocpp-gateway', 'v2-api', 'legacy-api', 'charger-state'] as const;
const run = promisify(execFile);

interface Compose {
  readonly services: Readonly<
    Record<string, { readonly environment?: Readonly<Record<string, string>>; readonly volumes?: readonly string[] }>
  >;
}

const compose = parse(readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8'), { merge: true }) as Compose;

/** The commands of a chapter that are for the compose file. */
function commandsOf(chapter: string): string {
  const [, text = ''] = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8').split(`\n## ${chapter}\n`);
  const [own = ''] = text.split('\n## ');
  const block = [...own.matchAll(/```sh\n([^`]*)```/g)].find(([, commands = '']) =>
    commands.includes('docker compose'),
  );
  if (block?.[1] === undefined) throw new Error(`no commands in ${chapter}`);
  return block[1];
}

/** `docker`, which hands its arguments and what is piped in to the test. */
const DOCKER = `#!/usr/bin/env node
const { request } = require('node:http');
const words = process.argv.slice(2);
const asked = request(process.env.DOCKER_OF_TEST, { method: 'POST', headers: { words: encodeURIComponent(JSON.stringify(words)) } }, (reply) => {
  reply.pipe(process.stdout);
  reply.on('end', () => (process.exitCode = reply.statusCode === 200 ? 0 : 1));
});
if (words.join(' ').includes('mongorestore')) process.stdin.pipe(asked);
else asked.end();
`;

describeWithServers('the commands of the documents for the compose file', () => {
  let world: ProcessesWorld;
  let directory: string;
  let docker: Server;
  const asked: string[] = [];

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'busbar-backup-'));
    world = await openProcessesWorld();
    writeFileSync(join(directory, 'docker'), DOCKER, { mode: 0o755 });
    writeFileSync(join(directory, 'store-url'), world.storeUrl);
    writeFileSync(join(directory, 'broker-url'), world.rabbit.url);
    docker = createServer((request, response) => {
      const words = JSON.parse(decodeURIComponent(String(request.headers['words']))) as string[];
      asked.push(words.join(' '));
      void (async () => {
        let input = '';
        for await (const chunk of request) input += String(chunk);
        return doAs(words, input);
      })().then(
        (output) => response.end(output),
        (error: unknown) => response.writeHead(500).end(String(error)),
      );
    });
    await new Promise<void>((resolve) => docker.listen(0, '127.0.0.1', resolve));
  }, START_MS);

  afterAll(async () => {
    terminateChargers();
    docker.closeAllConnections();
    docker.close();
    await world.stop();
    rmSync(directory, { recursive: true, force: true });
  }, START_MS);

  function runCommands(commands: string): Promise<unknown> {
    const { port } = docker.address() as AddressInfo;
    const env = {
      PATH: `${directory}:${process.env['PATH'] ?? ''}`,
      DOCKER_OF_TEST: `http://127.0.0.1:${String(port)}`,
    };
    return run('sh', ['-e', '-c', commands], { cwd: directory, env }).catch((error: unknown) => {
      const { stdout, stderr } = error as ExecFileException;
      throw new Error(`${String(stdout)}${String(stderr)}`);
    });
  }

  /** Does what a container engine would do. Fails for a service that the compose file does not have. */
  async function doAs([first, action = '', ...words]: readonly string[], input: string): Promise<string> {
    expect(first).toBe('compose');
    const names = words.filter((word) => !word.startsWith('-'));
    if (action === 'stop') {
      for (const name of names) expect(Object.keys(compose.services)).toContain(name);
      const stopped = OURS.filter((name) => names.includes(name));
      await Promise.all(
        stopped.map((name) => world.program(name === 'ocpp-gateway' ? 'gateway' : name).end('SIGTERM')),
      );
    } else if (action === 'up') {
      for (const name of names) expect(Object.keys(compose.services)).toContain(name);
      if (names.length === 0) await world.restart('SIGTERM');
    } else if (action === 'exec') {
      expect(names.slice(0, 2)).toEqual(['mongo', 'bash']);
      expect(compose.services['mongo']?.volumes).toContain('secrets-mongo:/secrets:ro');
      return withStore((store) => (words.at(-1)?.includes('mongodump') === true ? dump(store) : refill(store, input)));
    } else if (action === 'run') {
      expect(Object.keys(compose.services)).toContain(names[0]);
      if (names[0] === 'charger-state') return runIn('charger-state', words.slice(words.indexOf('charger-state') + 1));
    } else expect(action).toBe('build');
    return '';
  }

  /** A command in the container of a service: its environment, its secrets, the folder of the image. */
  async function runIn(service: string, [program, ...programArguments]: readonly string[]): Promise<string> {
    const { environment = {}, volumes = [] } = compose.services[service] ?? {};
    expect(volumes).toContain(`secrets-${service}:/secrets:ro`);
    const env = Object.entries(environment).map(([name, value]) => [name, value.replace('/secrets/', `${directory}/`)]);
    expect(program).toBe('node');
    const own = { PATH: process.env['PATH'], ...(Object.fromEntries(env) as Record<string, string>) };
    return (await run(process.execPath, [...programArguments], { cwd: ROOT, env: own })).stdout;
  }

  async function withStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
    const platform = createStorePlatform(world.storeUrl, { logger: createRecordingLogger(), clock: systemClock });
    await platform.start();
    try {
      return await work(platform.store);
    } finally {
      await platform.stop();
    }
  }

  async function dump(store: Store): Promise<string> {
    const copies = allCollections.map(async (definition) => [
      definition.name,
      await store.collection(definition).find(and()),
    ]);
    return JSON.stringify(Object.fromEntries(await Promise.all(copies)));
  }

  async function refill(store: Store, text: string): Promise<string> {
    const copies = JSON.parse(text) as Readonly<Record<string, Document[]>>;
    for (const definition of allCollections) {
      const collection = store.collection<Document>(definition);
      await collection.delete(and());
      const operations = (copies[definition.name] ?? []).map((document) => ({ insert: document }));
      if (operations.length > 0) await collection.bulk(operations);
    }
    return '';
  }

  const siteNames = async (): Promise<readonly string[]> => {
    const { json } = await v2(world, '/sites');
    return (json as { items: { name: string }[] }).items.map(({ name }) => name);
  };
  const createSite = (name: string) => v2(world, '/sites', { method: 'POST', body: { name } });

  it(
    'loses nothing in an upgrade: the services stop and start again',
    async () => {
      await createSite('Before the upgrade');
      await runCommands(commandsOf('Upgrade'));
      expect(await siteNames()).toContain('Before the upgrade');
      expect(asked[0]).toBe('compose build');
    },
    START_MS,
  );

  it(
    'restores a backup: later records are gone, and no id is issued twice',
    async () => {
      const { chargerId } = await registerCharger(world);
      const charger = await connect(world, chargerId);
      await charger.boot();
      await eventually(async () => (await readV2(world, chargerId)).activeConnection);
      await runCommands(commandsOf('Backup'));
      expect(statSync(join(directory, 'busbar.archive.gz')).size).toBeGreaterThan(1_000);
      await createSite('After the backup');
      const { transactionId: before } = await charger.start({ connectorId: 1, idTag: 'TAG', meterStart: 0 });

      await runCommands(commandsOf('Restore'));

      expect(await siteNames()).toContain('Before the upgrade');
      expect(await siteNames()).not.toContain('After the backup');
      const again = await connect(world, chargerId);
      expect(await again.boot()).toMatchObject({ status: 'Accepted' });
      await eventually(async () => (await readV2(world, chargerId)).activeConnection);
      const { transactionId: after } = await again.start({ connectorId: 1, idTag: 'TAG', meterStart: 0 });
      expect(Number(after)).toBeGreaterThan(Number(before) + 900_000);
      expect(asked.filter((command) => command.includes('counters raise'))).toHaveLength(1);
    },
    START_MS,
  );
});
