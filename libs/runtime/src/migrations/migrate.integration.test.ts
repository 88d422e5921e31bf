// Several processes start at once on a store of an earlier version; the one that migrates it is killed.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { systemClock } from '@busbar/core';
import { and, createMongoStore, eq, ne, type CollectionDefinition, type Document, type Store } from '@busbar/store';
import { createRecordingLogger, describeWithDocumentServer, eventually } from '@busbar/testing';
import { SCHEMA_ID, settingsCollection } from './store-schema';

const TEST_MS = 120_000;
const THINGS = 300;

interface Thing extends Document {
  readonly count: number;
  readonly moved?: boolean;
}
const things: CollectionDefinition<Thing> = { name: 'things', indexes: [] };

/** Starts as a process of the service does. Each part of its migration changes a few things. Prints its progress. */
const STARTER = `
const { createStoreSetup } = require(${JSON.stringify(join(__dirname, 'store-setup.ts'))});
const { and, createMongoStore, eq } = require('@busbar/store');
const { systemClock } = require('@busbar/core');
const silent = () => undefined;
const logger = { error: silent, warn: silent, info: silent, debug: silent, child: () => logger };
const store = createMongoStore({ url: process.argv[1], logger });
const things = store.collection({ name: 'things', indexes: [] });
const part = async () => {
  const some = await things.find(eq('moved', null), { limit: 5 });
  for (const { _id } of some) {
    await things.update(and(eq('_id', _id), eq('moved', null)), { set: { moved: true }, inc: { count: 1 } });
  }
  process.stdout.write('part ' + some.length + '\\n');
  return some.length;
};
const migrations = [{ version: 2, about: 'things are moved', isAdditive: true, part }];
const setup = createStoreSetup({ store, clock: systemClock, logger, partitions: undefined, migrations, leaseMs: 500 });
store.start().then(() => setup.start()).then(() => process.stdout.write('done\\n')).then(() => store.stop());
`;

interface Starter {
  readonly child: ChildProcess;
  readonly lines: string[];
  ended(): Promise<unknown>;
}

function begin(url: string): Starter {
  const child = spawn(process.execPath, ['--conditions=source', '--import', 'tsx', '-e', STARTER, url], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: __dirname,
  });
  const ended = once(child, 'close');
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  return { child, lines, ended: () => ended };
}

describeWithDocumentServer('processes that start on a store of an earlier version', (server) => {
  let store: Store;
  const starters: Starter[] = [];

  beforeAll(async () => {
    store = createMongoStore({ url: server().url, logger: createRecordingLogger(), clock: systemClock });
    store.collection(things);
    store.collection(settingsCollection);
    await store.start();
  });
  afterAll(async () => {
    for (const { child } of starters) child.kill('SIGKILL');
    await store.stop();
  });

  it(
    'migrates the store once, though the process that migrates is killed',
    async () => {
      await store.collection(settingsCollection).insert({ _id: SCHEMA_ID, version: 1 });
      await store
        .collection(things)
        .bulk(Array.from({ length: THINGS }, (_, n) => ({ insert: { _id: String(n), count: 0 } })));
      starters.push(...Array.from({ length: 3 }, () => begin(server().url)));
      const worker = await eventually(() => starters.find(({ lines }) => lines.length > 3), TEST_MS);
      const others = starters.filter((starter) => starter !== worker);
      worker.child.kill('SIGKILL');
      await worker.ended();
      expect(worker.lines).not.toContain('done');

      await Promise.all(others.map((starter) => starter.ended()));
      expect(others.map(({ lines }) => lines.at(-1))).toEqual(['done', 'done']);
      // Only one resumed it.
      expect(others.filter(({ lines }) => lines.some((line) => line.startsWith('part')))).toHaveLength(1);
      expect(await store.collection(settingsCollection).get(SCHEMA_ID)).toEqual({
        _id: SCHEMA_ID,
        version: 2,
        readableBy: 1,
        olderWrites: 1,
      });
      expect(await store.collection(things).count(and(eq('count', 1), ne('moved', null)))).toBe(THINGS);
    },
    TEST_MS,
  );
});
