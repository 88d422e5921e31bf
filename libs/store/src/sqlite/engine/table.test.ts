import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { and, eq, gte, lt } from '../../port';
import type { CollectionDefinition, Document, Filter } from '../../port';
import { openDatabase } from './database';
import type { Database } from './database';
import { filterSql } from './filter-sql';
import { prepareTable } from './prepare-table';
import { describeTable } from './table';

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
  const { text, values } = filterSql(filter, table);
  const blocks = table.isLog ? `_block IN (SELECT value FROM json_each('[0,1]')) AND ` : '';
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

it('fills new columns from stored rows, and drops undeclared ones', () => {
  prepareTable(database, describeTable({ ...LOG, indexes: [] }));
  for (const row of [1, 2, 3]) {
    const doc = JSON.stringify({ _id: `r${String(row)}`, chargerId: 'A', at: String(row) });
    database.run('INSERT INTO log (_row, _block, _id, doc) VALUES (?, 0, ?, ?)', [row, `r${String(row)}`, doc]);
  }
  prepareTable(database, describeTable(LOG));
  expect(database.values('SELECT "$.chargerId", "$.at" FROM log ORDER BY _row')).toEqual([
    ['A', '1'],
    ['A', '2'],
    ['A', '3'],
  ]);
  prepareTable(database, describeTable({ ...LOG, indexes: [] }));
  const columns = database.all("SELECT name FROM pragma_table_info('log')").map((row) => row['name']);
  expect(columns).toEqual(['_row', '_block', '_id', 'doc']);
});
