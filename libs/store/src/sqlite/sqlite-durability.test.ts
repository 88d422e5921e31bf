import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { createFakeClock, createRecordingLogger, eventually } from '@busbar/testing';

import { and, eq } from '../port';
import type { Collection, CollectionDefinition, Document } from '../port';
import { createSqliteStore, DATA_FILE } from './sqlite-store';
import type { SqliteStore, SqliteStoreOptions } from './sqlite-store';

interface Row extends Document {
  readonly n?: number;
  readonly pad?: string;
}
const ROWS: CollectionDefinition<Row> = { name: 'rows', indexes: [{ name: 'byN', paths: [['n', 1]] }], layout: 'log' };
const COUNTERS: CollectionDefinition<Row> = { name: 'counters', indexes: [] };

// Writes without end and prints each acknowledged row's id and the value of a counter.
const WRITER = `
const { createSqliteStore } = require(${JSON.stringify(join(__dirname, 'sqlite-store.ts'))});
const silent = () => undefined;
const logger = { error: silent, warn: silent, info: silent, debug: silent, child: () => logger };
const store = createSqliteStore({ directory: process.argv[1], logger });
const rows = store.collection({ name: 'rows', indexes: [{ name: 'byN', paths: [['n', 1]] }], layout: 'log' });
const counters = store.collection({ name: 'counters', indexes: [] });
const loop = async (worker) => {
  for (let n = 0; ; n += 1) {
    const _id = worker + '-' + process.pid + '-' + n;
    const [, value] = await Promise.all([rows.insert({ _id, n, pad: 'x'.repeat(300) }), counters.incrementAndGet('c', 'n')]);
    process.stdout.write(_id + ' ' + value + '\\n');
  }
};
store.start().then(() => { for (let worker = 0; worker < 8; worker += 1) void loop(worker); }, (error) => {
  process.stdout.write('refused ' + error.code + ' ' + error.message + '\\n');
});
`;

const directories: string[] = [];
const children: ChildProcess[] = [];
const stores: SqliteStore[] = [];

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'busbar-durable-'));
  directories.push(directory);
  return directory;
}

async function open(directory: string, more: Partial<SqliteStoreOptions> = {}) {
  const logger = createRecordingLogger();
  const store = createSqliteStore({ directory, logger, ...more });
  stores.push(store);
  const rows: Collection<Row> = store.collection(ROWS);
  const counters: Collection<Row> = store.collection(COUNTERS);
  await store.start();
  return { store, rows, counters, logger };
}

function startWriter(directory: string): { child: ChildProcess; lines: string[] } {
  const child = spawn(process.execPath, ['--conditions=source', '--import', 'tsx', '-e', WRITER, directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: __dirname,
  });
  children.push(child);
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  return { child, lines };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'close');
  child.kill('SIGKILL');
  await gone;
}

afterEach(async () => {
  for (const child of children.splice(0)) await kill(child);
  for (const store of stores.splice(0)) await store.stop();
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
});

describe('the store after a kill', () => {
  it('has every acknowledged write of a killed process, and takes its lock over', async () => {
    const directory = newDirectory();
    for (let round = 1; round <= 2; round += 1) {
      const { child, lines } = startWriter(directory);
      await eventually(() => lines.length > 500 * round);
      await kill(child);

      const { store, rows, counters } = await open(directory);
      const stored = new Set((await rows.find(and())).map(({ _id }) => _id));
      const answered = lines.slice(0, -1).map((line) => line.split(' '));
      expect(answered.filter(([id]) => !stored.has(id ?? ''))).toEqual([]);
      const counted = answered.map(([, value]) => Number(value));
      expect(new Set(counted).size).toBe(counted.length);
      expect((await counters.get('c'))?.n).toBeGreaterThanOrEqual(Math.max(...counted));
      expect(await rows.count(eq('n', 0))).toBe(8 * round);
      await store.stop();
    }
  });
});

describe('the lock on the data directory', () => {
  it('rejects a second process, and names the directory and the first process', async () => {
    const directory = newDirectory();
    await open(directory);
    const { lines } = startWriter(directory);
    const refusal = await eventually(() => lines[0]);
    expect(refusal).toMatch(/^refused invalid_configuration /);
    expect(refusal).toContain(directory);
    expect(refusal).toContain(String(process.pid));
  });

  it('stays with the first process after backups, and after another was refused', async () => {
    const directory = newDirectory();
    const { store } = await open(directory);
    for (let round = 1; round <= 2; round += 1) {
      await store.backup(join(newDirectory(), DATA_FILE));
      await expect(open(directory)).rejects.toMatchObject({ code: 'invalid_configuration' });
      const { lines } = startWriter(directory);
      expect(await eventually(() => lines[0])).toMatch(/^refused invalid_configuration /);
    }
  });

  it('rejects a second store in the same process', async () => {
    const directory = newDirectory();
    const first = await open(directory);
    await expect(open(directory)).rejects.toMatchObject({ code: 'invalid_configuration' });
    await first.store.stop();
    await expect(open(directory)).resolves.toBeDefined();
  });

  it('admits one of several processes that start together, also where another process once had this process id', async () => {
    const directory = newDirectory();
    // As a container finds it after a kill.
    writeFileSync(join(directory, 'busbar.pid'), `${String(process.pid)} 2026-01-01T00:00:00.000Z\n`);
    const writers = [1, 2, 3, 4].map(() => startWriter(directory));
    await eventually(() => writers.every(({ lines }) => lines.length > 0));
    const refused = writers.filter(({ lines }) => lines[0]?.startsWith('refused'));
    expect(refused).toHaveLength(3);
  });
});

describe('the store on a full disk', () => {
  it('fails the writes that do not fit on the disk, keeps stored documents, and accepts writes again', async () => {
    const { store, rows, counters, logger } = await open(newDirectory(), {
      maxBytes: 600_000,
      clock: createFakeClock(),
    });
    const changes: boolean[] = [];
    store.onConnection((up) => changes.push(up));
    await counters.insert({ _id: 'c', n: 1 });
    await counters.get('c');
    const fill = async (): Promise<number> => {
      for (let n = 0; ; n += 1) {
        // The small write comes first: it succeeds in the transaction that then fails.
        const counted = counters.update(eq('_id', 'c'), { set: { n: 1_000 + n } });
        const big = rows.insert({ _id: `${String(changes.length)}-${String(n)}`, pad: 'x'.repeat(50_000) });
        const [first, second] = await Promise.allSettled([big, counted]);
        if (first.status === 'fulfilled') continue;
        expect(first.reason).toMatchObject({ code: 'unavailable' });
        // It shared the transaction, which is rolled back on disk and in memory.
        expect(second).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } });
        expect(await counters.get('c')).toEqual({ _id: 'c', n: 1_000 + n - 1 });
        return n;
      }
    };
    expect(await fill()).toBeGreaterThan(5);
    expect(changes).toEqual([false]);
    expect(store.ready()).toBe(false);
    expect(logger.lines.filter(({ level }) => level === 'error')).toHaveLength(1);

    expect(await rows.delete(and(), 5)).toBe(5);
    expect(changes).toEqual([false, true]);
    expect(await rows.insert({ _id: 'again', pad: 'x'.repeat(50_000) })).toEqual({ inserted: true });
  });

  it('probes a full disk every second, until the store is ready again', async () => {
    const clock = createFakeClock();
    const { store, rows } = await open(newDirectory(), { maxBytes: 200_000, clock });
    await expect(rows.insert({ _id: 'big', pad: 'x'.repeat(400_000) })).rejects.toMatchObject({ code: 'unavailable' });
    expect(store.ready()).toBe(false);
    clock.advance(1_000);
    await eventually(() => store.ready());
    expect(await rows.insert({ _id: 'small' })).toEqual({ inserted: true });
  });
});

describe('a backup', () => {
  it('copies every document from before the backup, while writes continue', async () => {
    const { store, rows } = await open(newDirectory());
    await rows.bulk(Array.from({ length: 3_000 }, (_, n) => ({ insert: { _id: `before-${String(n)}`, n } })));
    const copy = newDirectory();
    const progress = { done: false };
    const copied = store.backup(join(copy, DATA_FILE)).finally(() => (progress.done = true));
    for (let n = 0; !progress.done; n += 1) await rows.insert({ _id: `during-${String(n)}`, n });
    await copied;

    const restored = await open(copy);
    expect(await restored.rows.count(and())).toBeGreaterThanOrEqual(3_000);
    for (const n of [0, 1_500, 2_999]) expect(await restored.rows.get(`before-${String(n)}`)).toBeDefined();
    expect(await restored.rows.insert({ _id: 'before-1', n: 1 })).toEqual({ inserted: false });
  });

  it('waits for the previous backup, and completes each one', async () => {
    const { store, rows } = await open(newDirectory());
    await rows.bulk(
      Array.from({ length: 2_000 }, (_, n) => ({ insert: { _id: `row-${String(n)}`, n, pad: 'x'.repeat(500) } })),
    );
    const progress = { done: false };
    const copies = [newDirectory(), newDirectory(), newDirectory()];
    const copied = Promise.all(copies.map((copy) => store.backup(join(copy, DATA_FILE)))).finally(
      () => (progress.done = true),
    );
    for (let n = 0; !progress.done; n += 1) await rows.insert({ _id: `during-${String(n)}`, n });
    await copied;
    for (const copy of copies) {
      const restored = await open(copy);
      expect(await restored.rows.count(and())).toBeGreaterThanOrEqual(2_000);
    }
  });

  it('rejects a backup target that cannot be written with unavailable, and the store accepts writes', async () => {
    const { store, rows } = await open(newDirectory());
    const missing = join(newDirectory(), 'missing', 'copy.db');
    await expect(store.backup(missing)).rejects.toMatchObject({ code: 'unavailable' });
    expect(await rows.insert({ _id: 'a' })).toEqual({ inserted: true });
  });
});

describe('a start', () => {
  it('rejects a file that is not a database, and names it', async () => {
    const directory = newDirectory();
    writeFileSync(join(directory, DATA_FILE), 'x'.repeat(5_000));
    await expect(open(directory)).rejects.toMatchObject({ message: expect.stringContaining(DATA_FILE) as string });
    rmSync(join(directory, DATA_FILE));
    await expect(open(directory)).resolves.toBeDefined();
  });

  it('rejects a unique index that the stored documents violate', async () => {
    const directory = newDirectory();
    const first = await open(directory);
    await first.rows.bulk([{ insert: { _id: 'a', n: 1 } }, { insert: { _id: 'b', n: 1 } }]);
    await first.store.stop();
    const store = createSqliteStore({ directory, logger: createRecordingLogger() });
    store.collection({ ...ROWS, indexes: [{ name: 'byN', paths: [['n', 1]], unique: true }] });
    await expect(store.start()).rejects.toMatchObject({ code: 'invalid_configuration' });
  });
});
