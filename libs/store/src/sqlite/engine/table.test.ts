import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { and, eq, gte, lt } from '../../port';
import type { CollectionDefinition, Document, Filter } from '../../port';
import { openDatabase } from './database';
import type { Database } from './database';
import { filterSql } from './filter-sql';
import { blockOf, describeTable, prepareTable, pruneBlocks } from './table';

const LOG: CollectionDefinition<Document> = {
  name: 'log',
  indexes: [
    { name: 'byCharger', paths: [['chargerId', 1], ['at', 1]] }, // prettier-ignore
    { name: 'byTime', paths: [['at', 1]] },
  ],
  layout: 'log',
};

let directory: string;
let database: Database;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'busbar-table-'));
  database = openDatabase(join(directory, 'busbar.db'));
});
afterEach(() => {
  database.close();
  rmSync(directory, { recursive: true, force: true });
});

function plan(definition: CollectionDefinition<Document>, filter: Filter): string {
  const table = describeTable(definition);
  const { text, values } = filterSql(filter, table.paths);
  const blocks = table.blocks === undefined ? '' : `_block IN (SELECT block FROM ${table.blocks}) AND `;
  const steps = database.all(`EXPLAIN QUERY PLAN SELECT doc FROM ${table.name} WHERE ${blocks}${text}`, values);
  return steps.map((step) => String(step['detail'])).join('\n');
}

it('searches a log block by block in its indexes', () => {
  prepareTable(database, describeTable(LOG));
  const byCharger = plan(LOG, and(eq('chargerId', 'A'), gte('at', '2026'), lt('at', '2027')));
  expect(byCharger).toContain('USING INDEX log.byCharger (_block=? AND $.chargerId=? AND $.at>? AND $.at<?)');
  expect(plan(LOG, lt('at', '2026'))).toContain('USING INDEX log.byTime (_block=? AND $.at>? AND $.at<?)');
  expect(plan(LOG, eq('_id', 'x'))).toContain('(_id=?)');
});

it('searches documents in their indexes, unique ones included', () => {
  const definition: CollectionDefinition<Document> = {
    ...LOG,
    layout: 'documents',
    indexes: [...LOG.indexes, { name: 'bySerial', paths: [['serial', 1]], unique: true }],
  };
  prepareTable(database, describeTable(definition));
  expect(plan(definition, eq('chargerId', 'A'))).toContain('USING INDEX log.byCharger ($.chargerId=?)');
  expect(plan(definition, eq('serial', 'S'))).toContain('USING INDEX log.bySerial ($.serial=?)');
});

it('creates the blocks of stored rows, and deletes blocks without rows', () => {
  const plain = describeTable({ ...LOG, indexes: [] });
  prepareTable(database, plain);
  for (const row of [1, 2 ** 14, 5 * 2 ** 14]) {
    database.run('INSERT INTO log (_row, _id, doc) VALUES (?, ?, ?)', [row, `r${String(row)}`, '{}']);
  }
  const table = describeTable(LOG);
  prepareTable(database, table);
  const blocks = (): unknown[] => database.all('SELECT block FROM "log.blocks"').map((row) => row['block']);
  expect(blocks()).toEqual([0, 1, 5]);
  expect(database.all('SELECT _block FROM log').map((row) => row['_block'])).toEqual([0, 1, 5]);
  expect(blockOf(5 * 2 ** 14)).toBe(5);
  database.run('DELETE FROM log WHERE _block < 5');
  pruneBlocks(database, table);
  expect(blocks()).toEqual([5]);
  // A row from a time of larger blocks is found by its stored block.
  database.run('UPDATE log SET _block = 1');
  database.run('INSERT INTO "log.blocks" (block) VALUES (1)');
  pruneBlocks(database, table);
  expect(blocks()).toEqual([1, 5]);
  prepareTable(database, describeTable({ ...LOG, indexes: [] }));
  const columns = database.all("SELECT name FROM pragma_table_info('log')").map((row) => row['name']);
  expect(columns).toEqual(['_row', '_id', 'doc']);
});
