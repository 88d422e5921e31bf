// What SQLite says of how it does what it is asked.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { sessionsCollection } from '../../records/collections';
import { sessionFilters } from '../../records/session-filter';
import { openDatabase, type Database, type SqlValue } from './database';
import { createQueries, type Queries } from './queries';
import { describeTable, prepareTable } from './table';

let directory: string;
let database: Database;
let plans: string[];
let queries: Queries;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'busbar-queries-'));
  database = openDatabase(join(directory, 'busbar.db'));
  plans = [];
  const table = describeTable(sessionsCollection);
  prepareTable(database, table);
  const explaining: Database = {
    ...database,
    all(sql: string, values?: readonly SqlValue[]) {
      const steps = database.all(`EXPLAIN QUERY PLAN ${sql}`, values);
      plans.push(steps.map((step) => String(step['detail'])).join('\n'));
      return [];
    },
  };
  const rows = { byId: () => undefined, unsettled: () => 0, isUnsettled: () => false, settle: () => undefined };
  const transact = (work: () => void): void => work();
  queries = createQueries(table, { database: explaining, rows, transact });
});
afterEach(() => {
  database.close();
  rmSync(directory, { recursive: true, force: true });
});

test.each(['startTime', 'endTime'] as const)(
  'values of the sessions of one charger, tag or site by their %s are read in order from an index alone',
  (sortKey) => {
    const span =
      sortKey === 'startTime'
        ? { startedFrom: '2026-01-01', startedTo: '2026-02-01' }
        : { endedFrom: '2026-01-01', endedTo: '2026-02-01' };
    for (const wanted of [{ chargerIds: ['a'] }, { siteIds: [1] }, { idTags: ['x'] }]) {
      for (const filter of [wanted, { ...wanted, ...span }]) {
        const sort = [[sortKey, -1] as const, ['transactionId', -1] as const];
        for (const only of sessionFilters('c', filter, sortKey)) {
          queries.findValues([sortKey, 'transactionId'], only, { sort, limit: 50 });
        }
      }
    }
    expect(plans).toHaveLength(6);
    const isCovered = /^SEARCH sessions USING COVERING INDEX sessions\.by(Charger|Site|Tag)(Start|End) \([^\n]+\)$/;
    expect(plans.filter((plan) => !isCovered.test(plan))).toEqual([]);
  },
);
