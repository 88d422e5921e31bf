// The table of a collection has `_row`, `_id`, the document as JSON text, and a column for each indexed path. `_row` is
// stable over VACUUM, unlike an implicit rowid. The columns have no declared type, so that SQLite never converts a text to
// a number.
//
// `documents`: a rowid table with the declared indexes. WITHOUT ROWID made inserts a sixth slower.
//
// `wide`: the same without the documents, which are in a second table (`chargers.documents`) by the same `_row`. A change of
// a column then rewrites a narrow row, of which a page has dozens, and each page costs two system calls of the commit. A
// charger's status takes a sixth less of the engine's time, in groups of 200.
//
// `log`: non-unique indexes begin with `_block`, the row's number divided by 16,384. Rows arrive in order of time but scattered
// over chargers: an index on (chargerId, at) puts each group of 500 on 500 pages. With the block in front they fall on the
// few pages of the current block. Rows of 600 bytes a second, 1,000 chargers, groups of 500: without an index 137,000; with
// (chargerId, at) 35,000; with (block, chargerId, at) 80,000. A reader visits each block, without those that cannot contain
// a match (block-keys.ts). Smaller blocks write fewer pages, but a page of one charger's log took 31 ms with 4,096 rows.
//
// An example of a log block (shortened), as rows of the tables `ocppLog` and `ocppLog.blocks`:
//
//     _row   | _block | _id             | chargerId | … | doc
//     32768  | 2      | 01J9Z3N5V7C8R2… | ACME-17   | … | {"rowId":"01J9Z3N5V7C8R2…","action":"Heartbeat",…}
//     …
//     49151  | 2      | 01J9Z40K2M3N4P… | ACME-3    | … | {"rowId":"01J9Z40K2M3N4P…","action":"MeterValues",…}
//
//     block | keys of chargerId
//     2     | a Bloom filter of the block's charger ids; NULL while the block is being filled
import { AppError } from '@busbar/core';

import type { CollectionDefinition, Document, IndexDefinition } from '../../port';
import { misuse } from '../../language/check';
import { valueAt } from '../../language/paths';
import type { FlatDocuments, NewRow } from '../protocol';
import { toColumn, toText } from './column-value';
import type { Database, SqlValue } from './database';
import { columnName, quoted } from './filter-sql';

const BLOCK_BITS = 14;
const BACKFILL_ROWS = 1_000;

export interface Column {
  readonly path: string;
  readonly segments: readonly string[];
  readonly unique: boolean;
}

export interface Table {
  readonly plainName: string;
  /** Quoted. */
  readonly name: string;
  /** The table with `doc`, unquoted. */
  readonly documents: string;
  /** The source to select from. SQLite leaves out a join of which no column is read. */
  readonly source: string;
  readonly isLog: boolean;
  readonly isWide: boolean;
  readonly columns: readonly Column[];
  /** Paths with a real column, `_id` included. */
  readonly paths: ReadonlySet<string>;
  /** The block table of a log with indexes. */
  readonly blocks: string | undefined;
  /** The path with a Bloom filter for each block. */
  readonly scattered: string | undefined;
  /** First paths of the block-wise indexes. */
  readonly leading: ReadonlySet<string>;
  readonly indexes: readonly IndexDefinition[];
}

export function describeTable<T extends Document>(definition: CollectionDefinition<T>): Table {
  const columns = new Map<string, Column>();
  for (const { paths, unique } of definition.indexes) {
    for (const [path] of paths) {
      if (path === '_id') continue;
      const isUnique = unique === true || columns.get(path)?.unique === true;
      columns.set(path, { path, segments: path.split('.'), unique: isUnique });
    }
  }
  const { scattered } = definition;
  if (scattered !== undefined && !columns.has(scattered))
    throw misuse(`no index of ${definition.name} has "${scattered}"`);
  const name = quoted(definition.name);
  const isWide = definition.layout === 'wide';
  const documents = isWide ? `${definition.name}.documents` : definition.name;
  const blockwise = definition.layout === 'log' ? definition.indexes.filter(({ unique }) => unique !== true) : [];
  return {
    plainName: definition.name,
    name,
    documents,
    source: isWide ? `${name} LEFT JOIN ${quoted(documents)} USING (_row)` : name,
    isLog: definition.layout === 'log',
    isWide,
    columns: [...columns.values()],
    paths: new Set(['_id', ...columns.keys()]),
    blocks: blockwise.length > 0 ? quoted(`${definition.name}.blocks`) : undefined,
    scattered,
    leading: new Set(blockwise.flatMap(({ paths }) => (paths[0] ? [paths[0][0]] : []))),
    indexes: definition.indexes,
  };
}

/** The values of the real columns, in their order. */
function columnValues(table: Table, document: unknown): SqlValue[] {
  return table.columns.map(({ segments }) => toColumn(valueAt(document, segments)));
}

/** Encoded now: later changes of the object must not reach the store. */
export function newRow(table: Table, document: Document): NewRow {
  return [document._id, toText(document), ...columnValues(table, document)];
}

/** The rows of flat documents. */
export function* flatRows({ columns }: Table, { keys, values }: FlatDocuments): Generator<NewRow> {
  const begins = keys.map((key) => `,${toText(key)}:`);
  // A path of several keys leads to nothing in a document of scalars.
  const places = columns.map(({ path }) => keys.indexOf(path));
  const idPlace = keys.indexOf('_id');
  for (let from = 0; from < values.length; from += keys.length) {
    let text = '';
    for (const [n, begin] of begins.entries()) {
      const value = values[from + n];
      if (value !== undefined) text += begin + toText(value);
    }
    const row = places.map((place) => toColumn(place < 0 ? null : values[from + place]));
    yield [String(values[from + idPlace]), `{${text.slice(1)}}`, ...row];
  }
}

export function blockOf(row: number): number {
  return Math.floor(row / 2 ** BLOCK_BITS);
}

/** Creates missing tables, columns and indexes, fills new columns, and drops undeclared ones. */
export function prepareTable(database: Database, table: Table): void {
  const { name, blocks } = table;
  if (table.isWide) prepareDocuments(database, table);
  else database.run(`CREATE TABLE IF NOT EXISTS ${name} (_row INTEGER PRIMARY KEY, _id UNIQUE NOT NULL, doc NOT NULL)`);
  const wanted = wantedIndexes(table);
  dropOldIndexes(database, table, wanted);
  prepareColumns(database, table);
  if (blocks !== undefined) prepareBlocks(database, table, blocks);
  for (const [index, sql] of wanted) makeIndex(database, index, sql);
}

/** Creates both tables, and a trigger that deletes a document with its row. The documents of an older file are moved. */
function prepareDocuments(database: Database, table: Table): void {
  const { name } = table;
  const documents = quoted(table.documents);
  database.run(`CREATE TABLE IF NOT EXISTS ${name} (_row INTEGER PRIMARY KEY, _id UNIQUE NOT NULL)`);
  database.run(`CREATE TABLE IF NOT EXISTS ${documents} (_row INTEGER PRIMARY KEY, doc NOT NULL)`);
  const trigger = quoted(`${table.plainName}.deleted`);
  const effect = `DELETE FROM ${documents} WHERE _row = OLD._row;`;
  database.run(`CREATE TRIGGER IF NOT EXISTS ${trigger} AFTER DELETE ON ${name} BEGIN ${effect} END`);
  if (!columnsOf(database, name).includes('doc')) return;
  database.run(`INSERT INTO ${documents} SELECT _row, doc FROM ${name}`);
  database.run(`ALTER TABLE ${name} DROP COLUMN doc`);
}

/** Deletes the blocks before the first remaining row, and returns them. */
export function pruneBlocks(database: Database, table: Table): number[] {
  if (table.blocks === undefined) return [];
  // The row's own value: an older file may have larger blocks.
  const first = `(SELECT _block FROM ${table.name} ORDER BY _row LIMIT 1)`;
  const pruned = database.all(`DELETE FROM ${table.blocks} WHERE block < ${first} RETURNING block`);
  return pruned.map((row) => Number(row['block']));
}

/** Column of the block table: the Bloom filter of a path's values, named by the path. */
export function keysColumn(path: string): string {
  return quoted(`keys:${path}`);
}

function prepareBlocks(database: Database, table: Table, blocks: string): void {
  const known = database.all("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?", [unquoted(blocks)]);
  if (known.length > 0) pruneBlocks(database, table);
  else {
    database.run(`CREATE TABLE ${blocks} (block INTEGER PRIMARY KEY)`);
    database.run(`INSERT INTO ${blocks} SELECT DISTINCT _block FROM ${table.name}`);
  }
  prepareKeys(database, table, blocks);
}

function prepareKeys(database: Database, table: Table, blocks: string): void {
  const wanted = table.scattered === undefined ? undefined : keysColumn(table.scattered);
  const columns = columnsOf(database, blocks).map(quoted);
  for (const column of columns) {
    if (column !== wanted && column !== quoted('block')) database.run(`ALTER TABLE ${blocks} DROP COLUMN ${column}`);
  }
  if (wanted !== undefined && !columns.includes(wanted)) {
    database.run(`ALTER TABLE ${blocks} ADD COLUMN ${wanted}`);
  }
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
      const all = table.blocks === undefined ? columns : ['_block', ...columns];
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
    [unquoted(table.name)],
  );
  for (const row of found) {
    const index = quoted(String(row['name']));
    if (wanted.get(index) !== row['sql']) database.run(`DROP INDEX ${index}`);
  }
}

function prepareColumns(database: Database, table: Table): void {
  const wanted = new Map<string, string>();
  // INTEGER as in the block table: a comparison with another type could not use the index.
  if (table.blocks !== undefined) wanted.set('_block', '_block INTEGER');
  for (const { path } of table.columns) wanted.set(`$.${path}`, columnName(path));
  const present = new Set<string>();
  for (const column of columnsOf(database, table.name)) {
    if (wanted.has(column)) present.add(column);
    // A column that is no longer filled would be wrong when a later index names it again.
    else if (!['_row', '_id', 'doc'].includes(column)) {
      database.run(`ALTER TABLE ${table.name} DROP COLUMN ${quoted(column)}`);
    }
  }
  const missing = [...wanted].filter(([column]) => !present.has(column));
  for (const [, column] of missing) database.run(`ALTER TABLE ${table.name} ADD COLUMN ${column}`);
  if (missing.length > 0) backfill(database, table);
}

function columnsOf(database: Database, name: string): string[] {
  return database.all('SELECT name FROM pragma_table_info(?)', [unquoted(name)]).map((row) => String(row['name']));
}

function backfill(database: Database, table: Table): void {
  const { name, source, columns, blocks } = table;
  const block = blocks === undefined ? [] : [`_block = _row >> ${String(BLOCK_BITS)}`];
  const assigned = [...block, ...columns.map(({ path }) => `${columnName(path)} = ?`)].join(', ');
  let last = Number.MIN_SAFE_INTEGER;
  for (;;) {
    const rows = database.all(
      `SELECT _row, doc FROM ${source} WHERE _row > ? ORDER BY _row LIMIT ${String(BACKFILL_ROWS)}`,
      [last],
    );
    for (const row of rows) {
      last = Number(row['_row']);
      const document: unknown = JSON.parse(String(row['doc']));
      database.run(`UPDATE ${name} SET ${assigned} WHERE _row = ?`, [...columnValues(table, document), last]);
    }
    if (rows.length < BACKFILL_ROWS) return;
  }
}

function makeIndex(database: Database, index: string, sql: string): void {
  if (database.all("SELECT 1 FROM sqlite_schema WHERE type = 'index' AND name = ?", [unquoted(index)]).length > 0)
    return;
  try {
    database.run(sql);
  } catch (cause) {
    throw new AppError('invalid_configuration', `the index ${index} cannot be created on the stored documents`, {
      cause,
    });
  }
}

function unquoted(name: string): string {
  return name.slice(1, -1).replaceAll('""', '"');
}
