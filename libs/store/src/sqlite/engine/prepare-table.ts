// Adapts the tables of a collection to its declaration at a start: missing tables, columns and indexes are created and
// filled, undeclared ones dropped.
import { AppError } from '@busbar/core';
import type { Document } from '../../port';
import type { Database } from './database';
import { columnName, quoted } from './filter-sql';
import { LIVE_PREFIX } from './live';
import { documentText, rowNames, rowValues, wideDocument, type Table } from './table';

const BACKFILL_ROWS = 1_000;
const OWN_COLUMNS: ReadonlySet<string> = new Set(['_row', '_id', '_block', 'doc']);

export function prepareTable(database: Database, table: Table): void {
  const { name, documents } = table;
  if (table.isWide) {
    database.run(`CREATE TABLE IF NOT EXISTS ${name} (_row INTEGER PRIMARY KEY, _id UNIQUE NOT NULL)`);
    database.run(`CREATE TABLE IF NOT EXISTS ${documents} (_row INTEGER PRIMARY KEY, doc NOT NULL)`);
    const effect = `DELETE FROM ${documents} WHERE _row = OLD._row;`;
    const trigger = quoted(`${table.plainName}.deleted`);
    database.run(`CREATE TRIGGER IF NOT EXISTS ${trigger} AFTER DELETE ON ${name} BEGIN ${effect} END`);
  } else {
    const block = table.isLog ? '_block INTEGER NOT NULL, ' : '';
    database.run(
      `CREATE TABLE IF NOT EXISTS ${name} (_row INTEGER PRIMARY KEY, ${block}_id UNIQUE NOT NULL, doc NOT NULL)`,
    );
  }
  const wanted = wantedIndexes(table);
  dropOldIndexes(database, table, wanted);
  prepareColumns(database, table);
  for (const [index, sql] of wanted) makeIndex(database, index, sql);
}

/** Name → SQL; the SQL is compared with the file's, so that a changed declaration replaces the index. */
function wantedIndexes(table: Table): Map<string, string> {
  const plain = table.plainName.replaceAll('"', '""');
  const indexes = new Map<string, string>();
  for (const { name, paths, unique, sparse } of table.indexes) {
    const index = quoted(`${plain}.${name}`);
    const columns = paths.map(([path, direction]) => `${columnName(path)}${direction === 1 ? '' : ' DESC'}`);
    if (unique === true) {
      const only = paths.map(([path]) => `${columnName(path)} IS NOT NULL`).join(' AND ');
      indexes.set(index, `CREATE UNIQUE INDEX ${index} ON ${table.name} (${columns.join(', ')}) WHERE ${only}`);
    } else {
      const all = table.isLog ? ['_block', ...columns] : columns;
      const [first] = paths;
      const only = sparse === true && first !== undefined ? ` WHERE ${columnName(first[0])} IS NOT NULL` : '';
      indexes.set(index, `CREATE INDEX ${index} ON ${table.name} (${all.join(', ')})${only}`);
    }
  }
  return indexes;
}

function dropOldIndexes(database: Database, table: Table, wanted: ReadonlyMap<string, string>): void {
  const found = database.all(
    "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql NOT NULL AND tbl_name = ?",
    [table.plainName],
  );
  for (const row of found) {
    const index = quoted(String(row['name']));
    if (wanted.get(index) !== row['sql']) database.run(`DROP INDEX ${index}`);
  }
}

function prepareColumns(database: Database, table: Table): void {
  const { name } = table;
  const wanted = rowNames(table);
  const present = database
    .all('SELECT name FROM pragma_table_info(?)', [table.plainName])
    .map((row) => String(row['name']))
    .filter((column) => !OWN_COLUMNS.has(column));
  const missing = wanted.filter((column) => !present.some((each) => quoted(each) === column));
  const undeclared = present.map(quoted).filter((column) => !wanted.includes(column));
  for (const column of missing) database.run(`ALTER TABLE ${name} ADD COLUMN ${column}`);
  const oldLive = present.flatMap((each) => (each.startsWith(LIVE_PREFIX) ? [each.slice(LIVE_PREFIX.length)] : []));
  const movesLive = undeclared.some((column) => column.startsWith(`"${LIVE_PREFIX}`));
  if (missing.length > 0 || movesLive) rewriteRows(database, table, oldLive);
  // A column that is no longer filled would be wrong when a later index names it again.
  for (const column of undeclared) database.run(`ALTER TABLE ${name} DROP COLUMN ${column}`);
}

/** Fills all columns from the documents. `oldLive`: the live paths that the documents lack so far. */
function rewriteRows(database: Database, table: Table, oldLive: readonly string[]): void {
  const { name, documents } = table;
  const doc = table.isWide ? wideDocument(name, documents, oldLive) : 'doc';
  const assigned = rowNames(table).map((column) => `${column} = ?`);
  let last = Number.MIN_SAFE_INTEGER;
  for (;;) {
    const rows = database.all(
      `SELECT _row, ${doc} AS doc FROM ${name} WHERE _row > ? ORDER BY _row LIMIT ${String(BACKFILL_ROWS)}`,
      [last],
    );
    for (const row of rows) {
      last = Number(row['_row']);
      const document = JSON.parse(String(row['doc'])) as Document;
      if (assigned.length > 0)
        database.run(`UPDATE ${name} SET ${assigned.join(', ')} WHERE _row = ?`, [...rowValues(table, document), last]);
      if (table.isWide)
        database.run(`UPDATE ${documents} SET doc = ? WHERE _row = ?`, [documentText(table, document), last]);
    }
    if (rows.length < BACKFILL_ROWS) return;
  }
}

function makeIndex(database: Database, index: string, sql: string): void {
  try {
    database.run(sql.replace(' INDEX ', ' INDEX IF NOT EXISTS '));
  } catch (cause) {
    throw new AppError('invalid_configuration', `the index ${index} cannot be created on the stored documents`, {
      cause,
    });
  }
}
