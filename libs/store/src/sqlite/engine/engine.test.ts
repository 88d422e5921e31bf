import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { and, eq } from '../../port';
import type { CollectionDefinition, Document, Filter, Update } from '../../port';
import type { ReadRequest, Replies, WriteRequest } from '../protocol';
import { openDatabase } from './database';
import { LAYOUT_VERSION, openEngine, type Engine } from './engine';
import { describeTable, newRow } from './table';

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
  return { op: 'bulk', at: 0, items: [newRow(describeTable(definition), { _id: id, ...rest })] };
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

describe.each([
  ['documents', []],
  ['wide', []],
  ['wide', ['seen', 'state', 'at']],
] as const)('the engine in the layout %s with the live paths %j', (layout, live) => {
  beforeEach(() => {
    definition = { ...CHARGERS, layout, live };
  });

  it('has every change after a kill', () => {
    const engine = open();
    write(engine, insert('A', { seen: 0, state: 'on' }), insert('B', { seen: 0, state: 'on' }));
    for (let seen = 1; seen <= 50; seen += 1) write(engine, change(eq('_id', 'A'), { set: { seen } }));
    write(engine, change(eq('_id', 'B'), { inc: { seen: 7 } }), change(eq('_id', 'B'), { set: { state: 'off' } }));

    const after = open(asKilled());
    expect(get(after, 'A')).toEqual({ _id: 'A', seen: 50, state: 'on' });
    expect(get(after, 'B')).toEqual({ _id: 'B', seen: 7, state: 'off' });
    expect(find(after, eq('state', 'off'))).toEqual([{ _id: 'B', seen: 7, state: 'off' }]);
  });

  it('shows a change to every kind of read immediately', () => {
    const engine = open();
    write(engine, insert('A', { n: 0, seen: 0, state: 'on' }));
    for (const path of ['n', 'seen']) {
      const to = (value: number): void => void write(engine, change(eq('_id', 'A'), { set: { [path]: value } }));
      to(5);
      expect(get(engine, 'A')).toMatchObject({ [path]: 5 });
      expect(find(engine, eq('state', 'on'))).toMatchObject([{ [path]: 5 }]);
      to(6);
      expect(find(engine, and(eq('state', 'on'), eq(path, 6)))).toHaveLength(1);
      to(7);
      expect(read(engine, { op: 'count', at: 0, filter: eq(path, 7) })).toBe(1);
      to(8);
      const counts = read(engine, { op: 'countGroups', at: 0, paths: ['state'], filter: and(), sumPath: path });
      expect(counts).toEqual([{ values: ['on'], count: 1, sum: 8 }]);
      to(9);
      const sorted: ReadRequest = { op: 'find', at: 0, filter: eq(path, 9), options: { sort: [[path, -1]], limit: 1 } };
      expect(JSON.parse(String(read(engine, sorted)))).toHaveLength(1);
    }
  });

  it('changes only the document with equal values, and distinguishes absent from null', () => {
    const engine = open();
    const matched = (filter: Filter, update: Update): unknown => write(engine, change(filter, update)).replies[0]?.[1];
    write(engine, insert('A', { seen: 1, state: 'on', at: '2026-01-02' }));
    expect(matched(and(eq('_id', 'A'), eq('seen', 2)), { set: { seen: 3 } })).toBe(0);
    expect(matched(and(eq('_id', 'A'), eq('seen', '1')), { set: { seen: 3 } })).toBe(0);
    expect(matched(and(eq('_id', 'B'), eq('seen', 1)), { set: { seen: 3 } })).toBe(0);
    expect(matched(and(eq('_id', 'A'), eq('seen', 1)), { set: { seen: 3, state: null } })).toBe(1);
    expect(get(engine, 'A')).toEqual({ _id: 'A', seen: 3, state: null, at: '2026-01-02' });
    expect(matched(and(eq('_id', 'A'), eq('state', null)), { unset: ['state'] })).toBe(1);
    expect(get(engine, 'A')).toEqual({ _id: 'A', seen: 3, at: '2026-01-02' });
    expect(find(engine, eq('state', null))).toHaveLength(1);
  });

  it('raises a value to a greater one only, in the order of types', () => {
    const engine = open();
    write(engine, insert('A', {}));
    const raised: unknown[] = [];
    for (const state of [5, 3, 7, 'b', 9, 'a', 'c']) {
      write(engine, change(eq('_id', 'A'), { set: { seen: 1 }, max: { state } }));
      raised.push((get(engine, 'A') as { state: unknown }).state);
      expect(find(engine, eq('state', raised.at(-1) as string))).toHaveLength(1);
    }
    expect(raised).toEqual([5, 5, 7, 'b', 'b', 'b', 'c']);
  });
});

describe('the engine with live paths', () => {
  const LIVE = { ...CHARGERS, layout: 'wide', live: ['seen', 'state'] } as const;
  const stored = (file: string): unknown => {
    const database = openDatabase(join(directory, file));
    const rows = database.all('SELECT doc FROM "chargers.documents"');
    database.close();
    return rows.map(({ doc }) => JSON.parse(String(doc)) as unknown);
  };

  it('leaves the document alone when a message changes live paths', () => {
    definition = LIVE;
    const engine = open();
    write(engine, insert('A', { seen: 1, state: 'on', name: 'x' }));
    const longText = 'ü"\u0000'.repeat(100);
    write(engine, change(and(eq('_id', 'A'), eq('seen', 1)), { set: { seen: 2, state: longText } }));
    expect(get(engine, 'A')).toEqual({ _id: 'A', seen: 2, state: longText, name: 'x' });
    expect(find(engine, eq('state', longText))).toHaveLength(1);
    expect(stored(asKilled())).toEqual([{ _id: 'A', name: 'x' }]);
  });

  it('moves values between documents and rows where the declaration changed', () => {
    const documents = [
      { _id: 'A', seen: 1, state: 'on', name: 'x' },
      { _id: 'B', name: null },
    ];
    definition = { ...CHARGERS, layout: 'wide' };
    write(open(), ...documents.map(({ _id, ...rest }) => insert(_id, rest)));
    for (const live of [['seen', 'state'], ['name', 'seen'], []]) {
      engines.splice(0).forEach((each) => void each.close());
      definition = { ...CHARGERS, layout: 'wide', live };
      const engine = open();
      expect([get(engine, 'A'), get(engine, 'B')]).toEqual(documents);
      expect(find(engine, eq('state', 'on'))).toEqual(documents.slice(0, 1));
    }
  });

  it.each([
    ['of another layout', { ...LIVE, layout: 'documents' }],
    ['inside another', { ...LIVE, live: ['state', 'state.of'] }],
    ['inside an indexed path', { ...LIVE, live: ['state.of'] }],
    ['that is unique', { ...LIVE, indexes: [{ name: 'byState', paths: [['state', 1]], unique: true }] }],
  ] as const)('refuses a live path %s', (_title, refused) => {
    definition = refused;
    expect(() => open()).toThrow(/live path/);
  });
});

describe('the engine with a transaction', () => {
  beforeEach(() => {
    definition = CHARGERS;
  });

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
    expect(replies.map(([, value, error]) => error?.code ?? value)).toEqual([
      1,
      'internal',
      { matched: 0, inserted: 1 },
    ]);
    expect(get(engine, 'A')).toEqual({ _id: 'A', n: 2, text: 'a' });
    expect(get(open(asKilled()), 'A')).toEqual({ _id: 'A', n: 2, text: 'a' });
  });
});

it.each([
  ['a newer', LAYOUT_VERSION + 1],
  ['an older', LAYOUT_VERSION - 1],
])('rejects a file of %s layout', (which, version) => {
  const database = openDatabase(join(directory, 'busbar.db'));
  database.run(`PRAGMA user_version = ${String(version)}`);
  database.close();
  expect(() => open()).toThrow(`was written by ${which} version of this service`);
});
