// Blocks that a search skips: never one with a matching row.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { and, eq, gte, oneOf, or, type CollectionDefinition, type Document, type Filter } from '../../port';
import { createBlocks, type Blocks } from './blocks';
import { openDatabase, type Database } from './database';
import { openEngine, type Engine } from './engine';
import { prepareTable } from './prepare-table';
import { describeTable } from './table';
import { flatDocuments } from '../flat';
import type { WriteRequest } from '../protocol';

interface Row extends Document {
  readonly owner: string | number;
  readonly n: number;
  readonly batch: string;
}

const LOG: CollectionDefinition<Row> = {
  name: 'log',
  indexes: [
    { name: 'byOwner', paths: [['owner', 1], ['n', 1]] }, // prettier-ignore
    { name: 'byBatch', paths: [['batch', 1]] },
  ],
  layout: 'log',
  scattered: 'owner',
};
const BLOCK = 2 ** 14;
/** Row numbers begin with 1: the first block has one row less. */
const FIRST_OF = (block: number): number => block * BLOCK - 1;

let directory: string;
const file = (): string => join(directory, 'busbar.db');
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'busbar-keys-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

describe('a search by a scattered path of a log', () => {
  let engine: Engine;
  const open = (definition: CollectionDefinition<Row> = LOG): void => {
    engine = openEngine({ file: file(), definitions: [definition] });
  };
  const reopen = (definition?: CollectionDefinition<Row>): void => {
    expect(engine.close()).toBeUndefined();
    open(definition);
  };
  const rowAt = (n: number, owner: string | number): Row => ({
    _id: `r${String(n)}`,
    owner,
    n,
    batch: `batch-${String(Math.floor(n / 10))}`,
  });
  const write = (request: WriteRequest): unknown => {
    const [reply] = engine.serve([{ writes: [[1, request]], reads: [] }]).replies;
    expect(reply?.[2]).toBeUndefined();
    return reply?.[1];
  };
  const insertion = (rows: readonly Row[]): WriteRequest => {
    const documents = flatDocuments(rows.map((row) => ({ insert: row })));
    if (!documents) throw new Error('a row has a nested value');
    return { op: 'insertEach', at: 0, documents };
  };
  const insert = (rows: readonly Row[]): void => void write(insertion(rows));
  const found = (filter: Filter): number[] => {
    const options = { sort: [['n', 1]], limit: 500 } as const;
    const [reply] = engine.serve([{ writes: [], reads: [[1, { op: 'find', at: 0, filter, options }]] }]).replies;
    return (JSON.parse(String(reply?.[1])) as Row[]).map(({ n }) => n);
  };
  const count = (filter: Filter): unknown =>
    engine.serve([{ writes: [], reads: [[1, { op: 'count', at: 0, filter }]] }]).replies[0]?.[1];
  const skipped = (filter: Filter): number[] => {
    engine.close();
    const database = openDatabase(file());
    const blocks = createBlocks(describeTable(LOG), database);
    const searched = blocks.of(filter);
    const all = blocks.of(and());
    database.close();
    open();
    return all.filter((block) => !searched.includes(block));
  };
  /** Fills three blocks and the first rows of another; each owner has every 9,000th row. */
  const OWNERS = 9_000;
  const COUNT = 3 * BLOCK + 500;
  const ownerOf = (n: number): string => `owner-${String(n % OWNERS)}`;
  const rowsOf = (owner: number, below = COUNT): number[] =>
    Array.from({ length: below }, (_, n) => n).filter((n) => n % OWNERS === owner);
  const fill = (): void => insert(Array.from({ length: COUNT }, (_, n) => rowAt(n, ownerOf(n))));

  beforeEach(() => open());
  afterEach(() => void engine.close());

  it('finds every row, and skips blocks without one', () => {
    fill();
    for (const owner of [0, 1, 4_711, OWNERS - 1]) {
      expect(found(eq('owner', ownerOf(owner)))).toEqual(rowsOf(owner));
      expect(count(eq('owner', ownerOf(owner)))).toBe(rowsOf(owner).length);
    }
    expect(found(and(eq('owner', ownerOf(7)), gte('n', OWNERS)))).toEqual(rowsOf(7).slice(1));
    const both = [...rowsOf(7), ...rowsOf(8)].sort((a, b) => a - b);
    expect(found(oneOf('owner', [ownerOf(7), ownerOf(8), 'nobody']))).toEqual(both);
    expect(found(or(eq('owner', ownerOf(7)), eq('owner', ownerOf(8))))).toEqual(both);
    expect(found(eq('owner', 'nobody'))).toEqual([]);
    // This owner is in the last block only.
    insert([rowAt(COUNT, 'late')]);
    expect(skipped(eq('owner', 'late'))).toEqual([0, 1, 2]);
    expect(found(eq('owner', 'late'))).toEqual([COUNT]);
    expect(skipped(oneOf('owner', ['late', 'nobody']))).toEqual([0, 1, 2]);
    expect(skipped(oneOf('owner', ['late', ownerOf(7)]))).toEqual([]);
  });

  it('finds a row by a value that is not a text, and rows without a filter on the scattered path', () => {
    fill();
    insert([rowAt(COUNT, 12)]);
    expect(found(eq('owner', 12))).toEqual([COUNT]);
    expect(found(oneOf('owner', [12, 'nobody']))).toEqual([COUNT]);
    expect(count(and())).toBe(COUNT + 1);
  });

  it('finds a row whose owner changed after the filter of its block was built', () => {
    fill();
    const update = JSON.stringify({ set: { owner: 'moved' } });
    const change = { filter: JSON.stringify(eq('_id', 'r20000')), update };
    write({ op: 'change', at: 0, change, upsert: false });
    expect(found(eq('owner', 'moved'))).toEqual([20_000]);
    reopen();
    expect(found(eq('owner', 'moved'))).toEqual([20_000]);
  });

  it('finds rows that reuse the numbers of deleted rows in a full block', () => {
    fill();
    write({ op: 'delete', at: 0, filter: gte('n', FIRST_OF(1) + 100), limit: undefined });
    reopen();
    const others = Array.from({ length: 2 * BLOCK }, (_, n) => rowAt(COUNT + n, `other-${String(n)}`));
    insert(others.slice(0, 3));
    expect(found(eq('owner', 'other-0'))).toEqual([COUNT]);
    expect(found(eq('owner', ownerOf(5)))).toEqual([5, 5 + OWNERS].filter((n) => n < FIRST_OF(1) + 100));
    insert(others.slice(3));
    for (const n of [0, 2, 3, BLOCK, 2 * BLOCK - 1]) {
      expect(found(eq('owner', `other-${String(n)}`))).toEqual([COUNT + n]);
    }
  });

  it('skips only the remaining blocks after old rows were deleted', () => {
    fill();
    expect(found(eq('owner', ownerOf(3)))).toEqual(rowsOf(3));
    const lt = { op: 'lt', path: 'n', value: FIRST_OF(2) } as const;
    write({ op: 'delete', at: 0, filter: lt, limit: undefined });
    expect(found(eq('owner', ownerOf(3)))).toEqual(rowsOf(3).filter((n) => n >= FIRST_OF(2)));
    expect(skipped(eq('owner', 'nobody'))).toEqual([2]);
  });

  it('finds rows whose deletion was rolled back together with the next block', () => {
    fill();
    expect(found(eq('owner', ownerOf(5)))).toEqual(rowsOf(5));
    const rest = 4 * BLOCK - COUNT;
    insert(Array.from({ length: rest - 10 }, (_, n) => rowAt(COUNT + n, 'tail')));
    insert([rowAt(COUNT + rest, 'gone')]);
    expect(found(eq('owner', 'gone'))).toEqual([COUNT + rest]);
    expect(engine.close()).toBeUndefined();
    engine = openEngine({ file: file(), definitions: [LOG], maxBytes: statSync(file()).size + 500_000 });
    expect(count(eq('owner', 'nobody'))).toBe(0);
    const next = Array.from({ length: 20 }, (_, n) => rowAt(COUNT + rest + 1 + n, 'next'));
    const huge = { ...rowAt(COUNT + rest + 21, 'next'), text: 'x'.repeat(2_000_000) };
    const group: WriteRequest[] = [
      { op: 'delete', at: 0, filter: eq('owner', 'gone'), limit: undefined },
      insertion([...next, huge]),
    ];
    const failing = engine.serve([{ writes: group.map((request, n) => [n, request] as const), reads: [] }]);
    expect(failing.failure).toBeDefined();
    expect(found(eq('owner', 'gone'))).toEqual([COUNT + rest]);
    expect(found(eq('owner', 'next'))).toEqual([]);
  });

  it('ignores block filters of another path', () => {
    fill();
    reopen({ ...LOG, scattered: 'batch' });
    insert([rowAt(COUNT, 'nobody')]);
    expect(found(eq('batch', 'batch-0'))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    reopen();
    expect(found(eq('owner', 'nobody'))).toEqual([COUNT]);
    expect(found(eq('owner', ownerOf(3)))).toEqual(rowsOf(3));
  });
});

describe('the blocks of a log', () => {
  let database: Database;
  let blocks: Blocks;
  const table = describeTable(LOG);
  const write = (row: number, owner: string): void => {
    const text = `INSERT INTO log (_row, _block, _id, doc, "$.owner") VALUES (?, ?, ?, '{}', ?)`;
    database.run(text, [row, Math.floor(row / BLOCK), `r${String(row)}`, owner]);
  };
  const searched = (owner: string): number[] => blocks.of(eq('owner', owner));
  beforeEach(() => {
    database = openDatabase(file());
    prepareTable(database, table);
    blocks = createBlocks(table, database);
  });
  afterEach(() => database.close());

  it('are none in an empty log, and stored filters are only of full ones', () => {
    blocks.full();
    expect(searched('x')).toEqual([]);
    write(1, 'a');
    blocks.full();
    expect(searched('x')).toEqual([0]);
    expect(database.all('SELECT block FROM "log.blocks"')).toEqual([]);
  });

  it('get a filter when the next one begins, also several at once', () => {
    write(1, 'in-0');
    write(BLOCK, 'in-1');
    blocks.full();
    expect(searched('x')).toEqual([1]);
    for (const block of [2, 3, 4]) write(block * BLOCK, `in-${String(block)}`);
    blocks.full();
    expect(searched('x')).toEqual([4]);
    expect(searched('in-2')).toEqual([2, 4]);
    blocks = createBlocks(table, database);
    expect(searched('in-2')).toEqual([2, 4]);
  });

  it('lose a filter with the transaction that made it', () => {
    write(1, 'a');
    write(2, 'b');
    expect(searched('x')).toEqual([0]);
    database.run('BEGIN');
    database.run('DELETE FROM log WHERE _row = 2');
    write(BLOCK, 'c');
    blocks.full();
    expect(searched('b')).toEqual([1]);
    database.run('ROLLBACK');
    blocks.undo();
    expect(searched('b')).toEqual([0]);
    write(BLOCK, 'c');
    blocks.full();
    expect(searched('b')).toEqual([0, 1]);
    expect(searched('x')).toEqual([1]);
  });

  it('lose a filter by a changed row, also after a start', () => {
    write(1, 'a');
    write(BLOCK, 'b');
    blocks.full();
    expect(searched('x')).toEqual([1]);
    blocks.changed(1);
    expect(searched('x')).toEqual([0, 1]);
    blocks = createBlocks(table, database);
    expect(searched('x')).toEqual([0, 1]);
  });

  it('lose their filters with their rows, and those whose row numbers are given again', () => {
    for (const block of [0, 1, 2, 3]) write(block * BLOCK + 1, `in-${String(block)}`);
    blocks.full();
    expect(searched('x')).toEqual([3]);
    database.run('DELETE FROM log WHERE _block = 0 OR _block = 3');
    blocks.deleted();
    expect(database.all('SELECT block FROM "log.blocks"')).toEqual([{ block: 1 }]);
    expect(searched('x')).toEqual([2]);
    write(2 * BLOCK + 2, 'x');
    expect(searched('x')).toEqual([2]);
  });

  it('are skipped by equality only, also inside and', () => {
    write(1, 'a');
    write(BLOCK, 'b');
    blocks.full();
    expect(blocks.of(and(gte('n', 5), and(eq('owner', 'x'))))).toEqual([1]);
    expect(blocks.of(and(eq('owner', 'a'), oneOf('owner', ['x', 'y'])))).toEqual([1]);
    for (const filter of [or(eq('owner', 'x')), gte('owner', 'x'), eq('n', 1), and(), eq('owner', null)]) {
      expect(blocks.of(filter)).toEqual([0, 1]);
    }
  });

  it('are refused a scattered path without an index', () => {
    expect(() => describeTable({ ...LOG, scattered: 'text' })).toThrow('no index of log has "text"');
  });
});
