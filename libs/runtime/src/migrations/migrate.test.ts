import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError, systemClock, type Service } from '@busbar/core';
import { createSqliteStore, type SqliteStore } from '@busbar/store';
import { createRecordingLogger, type RecordingLogger } from '@busbar/testing';
import { createMetrics } from '../metrics/metrics';
import { measureSchema } from '../platform/platform-metrics';
import { createStoreSetup } from './store-setup';
import { SCHEMA_ID, settingsCollection } from './store-schema';
import type { Migration } from './migration';

let directory: string;
let store: SqliteStore;
let logger: RecordingLogger;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'migrate-'));
  logger = createRecordingLogger();
  store = createSqliteStore({ directory, logger });
  store.collection(settingsCollection);
  await store.start();
});
afterEach(async () => {
  await store.stop();
  await rm(directory, { recursive: true });
});

/** Records each part that is done; `parts` of them have something to do. */
function migration(version: number, done: string[], parts = 1): Migration {
  let left = parts;
  return {
    version,
    about: `the ${String(version)}`,
    isAdditive: false,
    part() {
      if (left === 0) return Promise.resolve(0);
      left -= 1;
      done.push(`to ${String(version)}`);
      return Promise.resolve(1);
    },
  };
}

function setup(migrations: readonly Migration[]): Service {
  return createStoreSetup({ store, clock: systemClock, logger, partitions: undefined, migrations });
}

async function schema(): Promise<unknown> {
  return store.collection(settingsCollection).get(SCHEMA_ID);
}

async function atVersion(version: number): Promise<void> {
  await store.collection(settingsCollection).insert({ _id: SCHEMA_ID, version });
}

describe('migrate', () => {
  it('runs migrations in order from the version of the store, each once', async () => {
    await atVersion(2);
    const done: string[] = [];
    const all = [migration(2, done), migration(3, done, 2), migration(4, done)];
    await setup(all).start();
    await setup(all).start();
    expect(done).toEqual(['to 3', 'to 3', 'to 4']);
    expect(await schema()).toEqual({ _id: SCHEMA_ID, version: 4, readableBy: 4, settled: 0 });
    expect(logger.lines.filter(({ message }) => message === 'store migrated')).toMatchObject([
      { fields: { version: 3, documents: 2 } },
      { fields: { version: 4, documents: 1 } },
    ]);
  });

  it('runs no migration on a new store', async () => {
    const done: string[] = [];
    await setup([migration(2, done)]).start();
    expect(done).toEqual([]);
    expect(await schema()).toEqual({ _id: SCHEMA_ID, version: 2, readableBy: 2 });
  });

  it('resumes a migration that failed or whose process died', async () => {
    await atVersion(1);
    const done: string[] = [];
    const failing: Migration = { ...migration(2, done), part: () => Promise.reject(new Error('a bug')) };
    await expect(setup([failing]).start()).rejects.toThrow('a bug');
    expect(await schema()).toMatchObject({ version: 1, migration: { beat: 1 } });
    await setup([migration(2, done)]).start();
    expect(done).toEqual(['to 2']);
    expect(await schema()).toEqual({ _id: SCHEMA_ID, version: 2, readableBy: 2, settled: 0 });
  });

  it('retries while the store is unavailable for a moment', async () => {
    await atVersion(1);
    const done: string[] = [];
    const { part, ...rest } = migration(2, done, 2);
    let failures = 2;
    const flaky: Migration = {
      ...rest,
      part: (of) => (failures-- > 0 ? Promise.reject(new AppError('unavailable', 'unavailable')) : part(of)),
    };
    await setup([flaky]).start();
    expect(done).toEqual(['to 2', 'to 2']);
  });

  it('shows the documents that it has changed so far, and the version of the store once all are', async () => {
    await atVersion(1);
    const metrics = createMetrics();
    const shown: string[] = [];
    const show = async (): Promise<void> => {
      const text = await metrics.text();
      const values = /^busbar_store_schema_version (\d+)$[\s\S]*^busbar_store_migration_documents (\d+)$/m.exec(text);
      shown.push(`${values?.[2] ?? ''} documents, version ${values?.[1] ?? ''}`);
    };
    const parts = [20, 5, 0];
    const inParts: Migration = {
      ...migration(2, []),
      part: async () => {
        await show();
        return parts.shift() ?? 0;
      },
    };
    const measures = measureSchema(metrics);
    const deps = { store, clock: systemClock, logger, partitions: undefined, migrations: [inParts] };
    await createStoreSetup({ ...deps, ...measures }).start();
    await show();
    expect(shown).toEqual([
      '0 documents, version 0',
      '20 documents, version 0',
      '25 documents, version 0',
      '25 documents, version 2',
    ]);
  });

  it('stops between two parts when the process is to end', async () => {
    await atVersion(1);
    const done: string[] = [];
    const endless = migration(2, done, Number.POSITIVE_INFINITY);
    const service: Service = setup([
      {
        ...endless,
        part: (of) => (done.length === 3 ? service.stop().then(() => endless.part(of)) : endless.part(of)),
      },
    ]);
    await expect(service.start()).rejects.toMatchObject({ code: 'unavailable' });
    expect(done).toHaveLength(4);
  });
});
