import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { and, eq, gte } from '../../port';
import type { CollectionDefinition, Document, Filter, Update } from '../../port';
import type { ReadRequest, Replies, WriteRequest } from '../protocol';
import { openDatabase } from './database';
import { LAYOUT_VERSION, openEngine, type Engine } from './engine';

const CHARGERS: CollectionDefinition<Document> = {
  name: 'chargers',
  indexes: [{ name: 'byState', paths: [['state', 1]] }],
};

let definition = CHARGERS;
let directory: string;
const engines: Engine[] = [];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'busbar-engine-'));
});
afterEach(() => {
  for (const engine of engines.splice(0)) engine.close();
  rmSync(directory, { recursive: true, force: true });
});

function open(file = 'busbar.db'): Engine {
  const engine = openEngine({ file: join(directory, file), definitions: [definition] });
  engines.push(engine);
  return engine;
}

function write(engine: Engine, ...requests: WriteRequest[]): Replies {
  return engine.serve([{ writes: requests.map((request, call) => [call, request] as const), reads: [] }]);
}

function read(engine: Engine, request: ReadRequest): unknown {
  const [reply] = engine.serve([{ writes: [], reads: [[1, request]] }]).replies;
  if (reply?.[2]) throw new Error(reply[2].message);
  return reply?.[1];
}

function insert(id: string, rest: object): WriteRequest {
  const document = { _id: id, ...rest };
  const state = 'state' in rest ? String(rest.state) : null;
  return { op: 'insert', at: 0, row: [id, JSON.stringify(document), state] };
}

function change(filter: Filter, update: Update): WriteRequest {
  const texts = { filter: JSON.stringify(filter), update: JSON.stringify(update) };
  return { op: 'change', at: 0, change: texts, upsert: false };
}

const get = (engine: Engine, id: string): unknown => JSON.parse(String(read(engine, { op: 'get', at: 0, id })));
const find = (engine: Engine, filter: Filter): unknown =>
  JSON.parse(String(read(engine, { op: 'find', at: 0, filter, options: {} })));

/** Copies the file as a killed process would leave it: between two transactions, with its write-ahead log. */
function asKilled(): string {
  for (const ending of ['', '-wal']) {
    const file = join(directory, `busbar.db${ending}`);
    if (existsSync(file)) copyFileSync(file, join(directory, `killed.db${ending}`));
  }
  return 'killed.db';
}

describe.each(['documents', 'wide'] as const)('the engine with changes in the journal, layout %s', (layout) => {
  beforeEach(() => {
    definition = { ...CHARGERS, layout };
  });

  it('restores a change after a kill before its flush to the row', () => {
    const engine = open();
    write(engine, insert('A', { seen: 0, state: 'on' }), insert('B', { seen: 0, state: 'on' }));
    for (let seen = 1; seen <= 50; seen += 1) write(engine, change(eq('_id', 'A'), { set: { seen } }));
    write(engine, change(eq('_id', 'B'), { inc: { seen: 7 } }), change(eq('_id', 'B'), { set: { state: 'off' } }));

    const after = open(asKilled());
    expect(get(after, 'A')).toEqual({ _id: 'A', seen: 50, state: 'on' });
    expect(get(after, 'B')).toEqual({ _id: 'B', seen: 7, state: 'off' });
    expect(find(after, eq('state', 'off'))).toEqual([{ _id: 'B', seen: 7, state: 'off' }]);
  });

  it('does not repeat a change of a document that was flushed, deleted or inserted again since', () => {
    const engine = open();
    write(engine, insert('A', { n: 0 }), insert('B', { n: 0 }));
    write(engine, change(eq('_id', 'A'), { inc: { n: 1 } }), change(eq('_id', 'B'), { inc: { n: 1 } }));
    // A filter on a path without a column flushes the dirty rows.
    expect(find(engine, gte('n', 1))).toHaveLength(2);
    write(engine, change(eq('_id', 'A'), { inc: { n: 1 } }));
    write(engine, { op: 'delete', at: 0, filter: eq('_id', 'B'), limit: undefined }, insert('B', { n: 40 }));

    const after = open(asKilled());
    expect(get(after, 'A')).toEqual({ _id: 'A', n: 2 });
    expect(get(after, 'B')).toEqual({ _id: 'B', n: 40 });
  });

  it('shows a change to every kind of read immediately', () => {
    const engine = open();
    write(engine, insert('A', { n: 0, state: 'on' }));
    write(engine, change(eq('_id', 'A'), { set: { n: 5 } }));
    expect(get(engine, 'A')).toMatchObject({ n: 5 });
    expect(find(engine, eq('state', 'on'))).toMatchObject([{ n: 5 }]);
    write(engine, change(eq('_id', 'A'), { set: { n: 6 } }));
    expect(find(engine, and(eq('state', 'on'), eq('n', 6)))).toHaveLength(1);
    write(engine, change(eq('_id', 'A'), { set: { n: 7 } }));
    expect(read(engine, { op: 'count', at: 0, filter: eq('n', 7) })).toBe(1);
    write(engine, change(eq('_id', 'A'), { set: { n: 8 } }));
    const counts = read(engine, { op: 'countGroups', at: 0, paths: ['state'], filter: and(), sumPath: 'n' });
    expect(counts).toEqual([{ values: ['on'], count: 1, sum: 8 }]);
    write(engine, change(eq('_id', 'A'), { set: { n: 9 } }));
    const sorted: ReadRequest = { op: 'find', at: 0, filter: eq('n', 9), options: { sort: [['n', -1]], limit: 1 } };
    expect(JSON.parse(String(read(engine, sorted)))).toHaveLength(1);
  });

  it('flushes the oldest changes as the journal grows, so that the journal stays short', () => {
    const engine = open();
    const note = 'x'.repeat(100_000);
    write(engine, ...Array.from({ length: 20 }, (_, n) => insert(`C${String(n)}`, { n: 0 })));
    for (let round = 0; round < 20; round += 1) {
      for (let n = 0; n < 20; n += 1)
        write(engine, change(eq('_id', `C${String(n)}`), { set: { note }, inc: { n: 1 } }));
    }
    const file = asKilled();
    const database = openDatabase(join(directory, file));
    const [kept] = database.all('SELECT sum(length(changes)) AS size FROM "busbar.journal"');
    database.close();
    expect(Number(kept?.['size'])).toBeLessThan(9 * 1024 * 1024);
    expect(find(open(file), eq('n', 20))).toHaveLength(20);
  });
});

describe('the engine with a transaction', () => {
  it('rolls back a failed transaction on disk and in memory', () => {
    const engine = openEngine({ file: join(directory, 'busbar.db'), maxBytes: 200_000, definitions: [CHARGERS] });
    engines.push(engine);
    write(engine, insert('A', { n: 1 }));
    write(engine, change(eq('_id', 'A'), { set: { n: 2 } }));
    const failed = write(engine, change(eq('_id', 'A'), { set: { n: 3 } }), insert('B', { pad: 'x'.repeat(400_000) }));
    expect(failed.failure).toMatchObject({ code: 'unavailable' });
    expect(failed.replies.map(([, , error]) => error?.code)).toEqual(['unavailable', 'unavailable']);
    expect(get(engine, 'A')).toEqual({ _id: 'A', n: 2 });
    expect(write(engine, change(eq('_id', 'A'), { inc: { n: 1 } })).failure).toBeUndefined();
    expect(get(open(asKilled()), 'A')).toEqual({ _id: 'A', n: 3 });
  });

  it('commits a transaction without a request that fails by itself, and undoes that request’s partial writes', () => {
    const engine = open();
    write(engine, insert('A', { n: 1, text: 'a' }));
    const many: WriteRequest = {
      op: 'bulk',
      at: 0,
      items: [{ set: { n: 9 } }, { inc: { text: 1 } }].map((update) => ({
        filter: JSON.stringify(eq('_id', 'A')),
        update: JSON.stringify(update),
        upsert: false,
      })),
    };
    const { replies, failure } = write(engine, change(eq('_id', 'A'), { inc: { n: 1 } }), many, insert('B', {}));
    expect(failure).toBeUndefined();
    expect(replies.map(([, value, error]) => error?.code ?? value)).toEqual([1, 'internal', { inserted: true }]);
    expect(get(engine, 'A')).toEqual({ _id: 'A', n: 2, text: 'a' });
    expect(get(open(asKilled()), 'A')).toEqual({ _id: 'A', n: 2, text: 'a' });
  });
});

it('moves the documents of an older file into a table of their own', () => {
  definition = CHARGERS;
  const older = open();
  write(older, insert('A', { n: 1, state: 'on' }), insert('B', { n: 1, state: 'on' }));
  write(older, change(eq('_id', 'A'), { set: { n: 2 } }));
  definition = { ...CHARGERS, layout: 'wide' };
  const file = asKilled();
  const closeAll = (): void => engines.splice(0).forEach((engine) => void engine.close());
  for (const start of ['first', 'second']) {
    const found = find(open(file), eq('state', 'on'));
    const documents = [
      { _id: 'A', n: 2, state: 'on' },
      { _id: 'B', n: 1, state: 'on' },
    ];
    expect([start, found]).toEqual([start, documents]);
    closeAll();
  }
  write(open(file), { op: 'delete', at: 0, filter: eq('_id', 'A'), limit: undefined });
  closeAll();
  const database = openDatabase(join(directory, file));
  expect(database.all('SELECT count(*) AS n FROM "chargers.documents"')).toEqual([{ n: 1 }]);
  expect(database.all("SELECT name FROM pragma_table_info('chargers')").map(({ name }) => name)).not.toContain('doc');
  database.close();
});

it('rejects a file of a newer layout', () => {
  const database = openDatabase(join(directory, 'busbar.db'));
  database.run(`PRAGMA user_version = ${String(LAYOUT_VERSION + 1)}`);
  database.close();
  expect(() => open()).toThrow(/newer version/);
});
