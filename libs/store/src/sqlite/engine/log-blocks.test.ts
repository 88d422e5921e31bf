// A log over several blocks: a search finds the rows of each.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { and, eq, gte, oneOf, or, type CollectionDefinition, type Document, type Filter } from '../../port';
import { openEngine, type Engine } from './engine';
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

describe('a search in a log of several blocks', () => {
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
  /** Fills three blocks and the first rows of another; each owner has every 9,000th row. */
  const OWNERS = 9_000;
  const COUNT = 3 * BLOCK + 500;
  const ownerOf = (n: number): string => `owner-${String(n % OWNERS)}`;
  const rowsOf = (owner: number, below = COUNT): number[] =>
    Array.from({ length: below }, (_, n) => n).filter((n) => n % OWNERS === owner);
  const fill = (): void => insert(Array.from({ length: COUNT }, (_, n) => rowAt(n, ownerOf(n))));

  beforeEach(() => open());
  afterEach(() => void engine.close());

  it('finds every row of an owner, in order', () => {
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
    insert([rowAt(COUNT, 'late')]);
    expect(found(eq('owner', 'late'))).toEqual([COUNT]);
  });

  it('finds a row by a value that is not a text, and rows without a filter on the path', () => {
    fill();
    insert([rowAt(COUNT, 12)]);
    expect(found(eq('owner', 12))).toEqual([COUNT]);
    expect(found(oneOf('owner', [12, 'nobody']))).toEqual([COUNT]);
    expect(count(and())).toBe(COUNT + 1);
  });

  it('finds a row whose owner changed after its block was full', () => {
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

  it('finds the remaining rows after old blocks were deleted', () => {
    fill();
    expect(found(eq('owner', ownerOf(3)))).toEqual(rowsOf(3));
    const lt = { op: 'lt', path: 'n', value: FIRST_OF(2) } as const;
    write({ op: 'delete', at: 0, filter: lt, limit: undefined });
    expect(found(eq('owner', ownerOf(3)))).toEqual(rowsOf(3).filter((n) => n >= FIRST_OF(2)));
    expect(found(eq('owner', 'nobody'))).toEqual([]);
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
});
