// The engine in a separate thread, as in production: the parts of the contract that a thread could break.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createRecordingLogger, eventually } from '@busbar/testing';

import { and, eq } from '../port';
import type { CollectionDefinition, Document } from '../port';
import { openEngineThread } from './engine-link';
import type { Turn } from './protocol';
import { createSqliteStore, DATA_FILE } from './sqlite-store';
import type { SqliteStore } from './sqlite-store';

interface Row extends Document {
  readonly n?: number;
  readonly text?: string;
}
const ROWS: CollectionDefinition<Row> = {
  name: 'rows',
  indexes: [{ name: 'byText', paths: [['text', 1]], unique: true }],
};

let directory: string;
const stores: SqliteStore[] = [];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'busbar-thread-'));
});
afterEach(async () => {
  for (const store of stores.splice(0)) await store.stop();
  rmSync(directory, { recursive: true, force: true });
});

async function open() {
  const logger = createRecordingLogger();
  const store = createSqliteStore({ directory, logger, ownThread: true });
  stores.push(store);
  const rows = store.collection(ROWS);
  await store.start();
  return { store, rows, logger };
}

it('executes writes, reads, errors and a backup across the thread', async () => {
  const { store, rows } = await open();
  const text = 'ü \u0000 "\u2028" 😀';
  expect(await rows.insert({ _id: 'a', n: 1, text })).toEqual({ inserted: true });
  expect(await rows.insert({ _id: 'b', text })).toEqual({ inserted: false });
  expect(await rows.update(eq('_id', 'a'), { inc: { n: 2 } })).toBe(1);
  expect(await rows.get('a')).toEqual({ _id: 'a', n: 3, text });
  await expect(rows.update(eq('_id', 'a'), { inc: { text: 1 } })).rejects.toMatchObject({ code: 'internal' });
  await Promise.all(Array.from({ length: 500 }, () => rows.incrementAndGet('c', 'n')));
  expect((await rows.get('c'))?.n).toBe(500);
  await store.backup(join(directory, 'copy.db'));
  await store.stop();
  const again = await open();
  expect(await again.rows.count(and())).toBe(2);
});

it('rejects an unusable data file with a sentence that names it', async () => {
  writeFileSync(join(directory, DATA_FILE), 'x'.repeat(5_000));
  await expect(open()).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining(DATA_FILE) as string,
  });
});

it('closes while writes are in flight, and can be opened again', async () => {
  const { store, rows } = await open();
  const writes = Array.from({ length: 50 }, (_, n) => rows.insert({ _id: `w${String(n)}` }));
  await Promise.all([...writes, store.stop()]);
  await expect(rows.get('w1')).rejects.toMatchObject({ code: 'unavailable' });
  await store.start();
  expect(await rows.count(and())).toBe(50);
});

it('reports a thread that ended by itself, and closes it without an error', async () => {
  const lost: unknown[] = [];
  const listener = { replied: () => undefined, lost: (error: unknown) => lost.push(error) };
  const link = await openEngineThread({ file: join(directory, DATA_FILE), definitions: [ROWS] }, listener);
  // An invalid turn: a fault of ours, or of the library, has the same effect.
  link.send({} as Turn);
  await eventually(() => lost.length === 1);
  expect(String(lost[0])).toContain('TypeError');
  expect(await link.close()).toBe('its thread had ended');
});
