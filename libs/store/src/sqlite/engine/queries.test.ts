// The query plans that SQLite explains.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { and, eq, oneOf, type CollectionDefinition, type Document } from '../../port';
import { collections } from '../../records/collections';
import { sessionFilters } from '../../records/api/session-filter';
import { openDatabase, type Database, type SqlValue } from './database';
import { prepareTable } from './prepare-table';
import { createQueries, type Queries } from './queries';
import { describeTable } from './table';

let directory: string;
let database: Database;
let plans: string[];
let queries: (definition: CollectionDefinition<Document>) => Queries;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'busbar-queries-'));
  database = openDatabase(join(directory, 'busbar.db'));
  plans = [];
  const explain = (sql: string, values?: readonly SqlValue[]): [] => {
    const steps = database.all(`EXPLAIN QUERY PLAN ${sql}`, values);
    plans.push(steps.map((step) => String(step['detail'])).join('\n'));
    return [];
  };
  const explaining: Database = { ...database, all: explain, values: explain };
  queries = (definition) => {
    const table = describeTable(definition);
    prepareTable(database, table);
    return createQueries(table, explaining);
  };
});
afterEach(() => {
  database.close();
  rmSync(directory, { recursive: true, force: true });
});

it.each(['startTime', 'endTime'] as const)(
  'reads values of the sessions of one charger, tag or site by their %s in order from a covering index',
  (sortKey) => {
    const { findValues } = queries(collections.sessions);
    const span =
      sortKey === 'startTime'
        ? { startedFrom: '2026-01-01', startedTo: '2026-02-01' }
        : { endedFrom: '2026-01-01', endedTo: '2026-02-01' };
    for (const wanted of [{ chargerIds: ['a'] }, { siteIds: [1] }, { idTags: ['x'] }]) {
      for (const filter of [wanted, { ...wanted, ...span }]) {
        const sort = [[sortKey, -1] as const, ['transactionId', -1] as const];
        for (const only of sessionFilters('c', filter, sortKey)) {
          findValues([sortKey, 'transactionId'], only, { sort, limit: 50 });
        }
      }
    }
    expect(plans).toHaveLength(6);
    const isCovered = /^SEARCH sessions USING COVERING INDEX sessions\.by(Charger|Site|Tag)(Start|End) \([^\n]+\)$/;
    expect(plans.filter((plan) => !isCovered.test(plan))).toEqual([]);
  },
);

it('counts the tallies of connected chargers, at some sites or all, from a covering index', () => {
  const { countGroups } = queries(collections.chargers);
  const part = and(eq('clientId', 'c'), eq('connection.active', true));
  countGroups(['reported.tally', 'registered.siteId'], part, undefined);
  countGroups(['reported.tally', 'registered.siteId'], and(part, oneOf('registered.siteId', [1, 2])), undefined);
  expect(plans).toHaveLength(2);
  for (const plan of plans) {
    expect(plan).toMatch(/^SEARCH chargers USING COVERING INDEX chargers\.byTally \(/);
    expect(plan).not.toContain('TEMP B-TREE');
  }
});

it('reads the documents of chargers only for rows of the result', () => {
  const { find, count, findValues } = queries(collections.chargers);
  const there = and(eq('clientId', 'c'), eq('registered.siteId', 1));
  count(there);
  findValues(['_id', 'listed.name'], there, { sort: [['listed.name', 1]], limit: 50 });
  find(there, { sort: [['listed.name', 1]], limit: 50 });
  expect(plans.map((plan) => plan.includes('chargers.documents'))).toEqual([false, false, true]);
  const [, chosen = ''] = /LIST SUBQUERY \d+\n([^\n]*)/.exec(plans[2] ?? '') ?? [];
  expect(chosen).toMatch(/^SEARCH chargers USING COVERING INDEX/);
});
