// Reads and writes single rows of one table, inside the engine's transaction.
import { valueAt } from '../../language/paths';
import type { Document } from '../../port';
import type { NewRow } from '../protocol';
import { textColumn, toColumn, toText } from './column-value';
import type { Database, SqlValue } from './database';
import { columnName } from './filter-sql';
import { blockSql, documentText, rowNames, type Table } from './table';

export interface Found<T> {
  readonly row: number;
  readonly document: T;
}

export interface Rows<T extends Document> {
  byId(id: string): Found<T> | undefined;
  /** The document's JSON text. */
  textOf(id: string): string | undefined;
  /** False for a duplicate `_id` or unique value. */
  insert(row: NewRow): boolean;
  /** False for a duplicate unique value. */
  change(old: Found<T>, document: T): boolean;
}

// The document is bound as bytes and becomes text inside SQLite. The library converts long texts one character at a
// time, which halves the rate of inserts.
const DOCUMENT = 'CAST(? AS TEXT)';

export function createRows<T extends Document>(table: Table, database: Database): Rows<T> {
  const { name, documents, doc, isWide } = table;
  const byId = `SELECT _row, ${doc} AS doc FROM ${name} WHERE _id = ?`;
  const insert = insertSql(table);
  const insertDocument = `INSERT INTO ${documents} (_row, doc) VALUES (last_insert_rowid(), ${DOCUMENT})`;
  const changeDocument = `UPDATE ${documents} SET doc = ${DOCUMENT} WHERE _row = ?`;

  return {
    byId(id) {
      const [found] = database.all(byId, [textColumn(id)]);
      return found && { row: Number(found['_row']), document: JSON.parse(String(found['doc'])) as T };
    },
    textOf(id) {
      const [found] = database.all(byId, [textColumn(id)]);
      return found && String(found['doc']);
    },
    insert([id, text, ...columns]) {
      const values = isWide ? [textColumn(id), ...columns] : [textColumn(id), Buffer.from(text), ...columns];
      if (database.run(insert, values) === 0) return false;
      if (isWide) database.run(insertDocument, [Buffer.from(text)]);
      return true;
    },
    change({ row, document: old }, document) {
      const text = Buffer.from(documentText(table, document));
      const moved = movedColumns(table, old, document);
      const assigned = [...(isWide ? [] : [`doc = ${DOCUMENT}`]), ...moved.map((column) => `${column.name} = ?`)];
      if (assigned.length > 0) {
        const values = [...(isWide ? [] : [text]), ...moved.map(({ value }) => value), row];
        const sql = `UPDATE OR IGNORE ${name} SET ${assigned.join(', ')} WHERE _row = ?`;
        if (database.run(sql, values) === 0) return false;
      }
      if (isWide) database.run(changeDocument, [text, row]);
      return true;
    },
  };
}

function insertSql(table: Table): string {
  const block = blockSql(`(SELECT coalesce(max(_row), 0) + 1 FROM ${table.name})`);
  const columns = new Map([
    ...(table.isLog ? [['_block', block] as const] : []),
    ['_id', '?'] as const,
    ...(table.isWide ? [] : [['doc', DOCUMENT] as const]),
    ...rowNames(table).map((name) => [name, '?'] as const),
  ]);
  const names = [...columns.keys()].join(', ');
  return `INSERT INTO ${table.name} (${names}) VALUES (${[...columns.values()].join(', ')}) ON CONFLICT DO NOTHING`;
}

interface MovedColumn {
  readonly name: string;
  readonly value: SqlValue;
}

/**
 * The columns with another value: SQLite writes every index of a named column, changed or not. Updates copy what they
 * touch, so an identical object is an unchanged one.
 */
function movedColumns({ columns, live }: Table, old: Document, document: Document): MovedColumn[] {
  const moved: MovedColumn[] = [];
  for (const { path, segments } of columns) {
    const value = valueAt(document, segments);
    if (valueAt(old, segments) !== value) moved.push({ name: columnName(path), value: toColumn(value) });
  }
  for (const { segments, name } of live.values()) {
    const value = valueAt(document, segments);
    if (valueAt(old, segments) !== value) moved.push({ name, value: value === undefined ? null : toText(value) });
  }
  return moved;
}
