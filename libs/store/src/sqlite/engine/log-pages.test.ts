// Pages of a log in several blocks are the pages of the sorted log.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { and, eq, gte } from '../../port';
import type { CollectionDefinition, Document, FindOptions } from '../../port';
import { flatDocuments } from '../flat';
import { openEngine, type Engine } from './engine';

interface Row extends Document {
  readonly owner: string;
  readonly at: number;
}

const LOG: CollectionDefinition<Row> = {
  name: 'log',
  indexes: [{ name: 'byOwner', paths: [['owner', 1], ['at', 1]] }], // prettier-ignore
  layout: 'log',
};
/** Fills two blocks and a part of a third. */
const COUNT = 40_000;

let directory: string;
let engine: Engine;
const rows: Row[] = Array.from({ length: COUNT }, (_, n) => ({
  _id: `r${String(n).padStart(6, '0')}`,
  owner: n % 3 === 0 ? 'A' : 'B',
  // Timestamps are not in the order of insertion, and often equal.
  at: (n * 7_919) % 2_000,
}));

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'busbar-log-'));
  engine = openEngine({ file: join(directory, 'busbar.db'), definitions: [LOG] });
  const documents = flatDocuments(rows.map((row) => ({ insert: row })));
  if (!documents) throw new Error('a row has a nested value');
  engine.serve([{ writes: [[1, { op: 'insertEach', at: 0, documents }]], reads: [] }]);
});
afterAll(() => {
  engine.close();
  rmSync(directory, { recursive: true, force: true });
});

function idsOf(options: FindOptions): string[] {
  const filter = and(eq('owner', 'A'), gte('at', 100));
  const { replies } = engine.serve([{ writes: [], reads: [[1, { op: 'find', at: 0, filter, options }]] }]);
  return (JSON.parse(String(replies[0]?.[1])) as Row[]).map(({ _id }) => _id);
}

function sorted(at: 1 | -1, id: 1 | -1): string[] {
  const chosen = rows.filter((row) => row.owner === 'A' && row.at >= 100);
  return chosen.sort((a, b) => (a.at - b.at) * at || (a._id < b._id ? -id : id)).map(({ _id }) => _id);
}

it.each([
  [1, 1],
  [-1, -1],
  [-1, 1],
] as const)('returns the first, later and last pages in the order %i by time and %i by id', (at, id) => {
  const all = sorted(at, id);
  for (const skip of [0, 50, 950, 2_000, all.length - 7, all.length]) {
    const sort = [['at', at], ['_id', id]] as const; // prettier-ignore
    expect(idsOf({ sort, skip, limit: 50 })).toEqual(all.slice(skip, skip + 50));
  }
});

it('returns a page in an order that no index has', () => {
  const all = sorted(1, 1).sort();
  expect(idsOf({ sort: [['_id', 1]], limit: 20 })).toEqual(all.slice(0, 20));
});
