// Reading and writing single rows of one table, inside of the write queue's transaction.
import type { Document } from '../port';
import { freezeDeep, isObject, valueAt } from '../language/paths';
import { textColumn, toColumn, toText } from './column-value';
import type { Database, SqlValue } from './database';
import { createDocumentCache } from './document-cache';
import type { CachedDocument, CacheBounds } from './document-cache';
import { columnName } from './filter-sql';
import { blockOf, columnValues } from './table';
import type { Column, Table } from './table';

export interface NewRow {
  readonly id: string;
  readonly text: string;
  readonly columns: readonly SqlValue[];
}

export type Written = { readonly written: true } | { readonly written: false; readonly duplicateOf: string };

export interface Rows<T extends Document> {
  byId(id: string): CachedDocument<T> | undefined;
  /** What `insert` needs, taken from the document now: later changes to it do not reach the store. */
  prepare(document: Document): NewRow;
  insert(row: NewRow): Written;
  replace(old: CachedDocument<T>, document: T): Written;
  /** Forgets a document that was deleted by other means. */
  forget(id: string): void;
  /** Forgets what this transaction changed in memory, after a rollback. */
  undo(): void;
  /** The transaction is on the disk. */
  keep(): void;
}

/** Logs are not read again by id: their rows are not kept in memory. */
export function createRows<T extends Document>(database: () => Database, table: Table, bounds: CacheBounds): Rows<T> {
  const cache = createDocumentCache<T>(table.isLog ? { documents: 0, characters: 0 } : bounds);
  const touched = new Set<string>();
  let nextRow: number | undefined;
  let madeBlock: number | undefined;
  const sql = statements(table);

  const remember = (id: string, entry: CachedDocument<T>): void => {
    if (database().inTransaction()) touched.add(id);
    cache.set(id, entry);
  };
  const forget = (id: string): void => {
    touched.add(id);
    cache.delete(id);
  };
  const rowNumber = (): number => {
    nextRow ??= Number(database().all(`SELECT coalesce(max(_row), 0) AS last FROM ${table.name}`)[0]?.['last']) + 1;
    return nextRow;
  };
  const makeBlock = (block: number): void => {
    if (madeBlock === block) return;
    database().run(`INSERT OR IGNORE INTO ${table.blocks ?? ''} VALUES (?)`, [block]);
    madeBlock = block;
  };
  /** Which unique value stood in the way: the id's, or that of an index. */
  const obstacle = (id: string | undefined, columns: readonly SqlValue[]): string => {
    if (id !== undefined && database().all(sql.byId, [textColumn(id)]).length > 0) return '_id';
    const taken = table.indexes.find(({ unique, paths }) => {
      const at = table.columns.findIndex(({ path }) => unique === true && path === paths[0]?.[0]);
      const value = columns[at];
      if (value === undefined || value === null) return false;
      return database().all(`SELECT 1 FROM ${table.name} WHERE ${sql.names[at] ?? ''} = ?`, [value]).length > 0;
    });
    return taken?.name ?? '_id';
  };

  return {
    byId(id) {
      const known = cache.get(id);
      if (known) return known;
      const [found] = database().all(sql.byId, [textColumn(id)]);
      if (!found) return undefined;
      const text = String(found['doc']);
      const document = freezeDeep(JSON.parse(text) as T);
      const entry = { row: Number(found['_row']), document, size: text.length };
      remember(id, entry);
      return entry;
    },
    prepare: (document) => ({
      id: document._id,
      text: toText(document),
      columns: columnValues(table, document),
    }),
    insert({ id, text, columns }) {
      const row = rowNumber();
      const block = blockOf(row);
      if (table.blocks !== undefined) makeBlock(block);
      const head: SqlValue[] = table.blocks === undefined ? [row] : [row, block];
      const changed = database().run(sql.insert, [...head, textColumn(id), bytes(text), ...columns]);
      if (changed === 0) return { written: false, duplicateOf: obstacle(id, columns) };
      nextRow = row + 1;
      return { written: true };
    },
    replace(old, document) {
      const text = toText(document);
      const moved = table.columns.filter(({ segments }) => differs(old.document, document, segments));
      const values = moved.map(({ segments }) => toColumn(valueAt(document, segments)));
      if (database().run(updateSql(table, moved), [bytes(text), ...values, old.row]) === 0) {
        const all = table.columns.map((column) => values[moved.indexOf(column)] ?? null);
        return { written: false, duplicateOf: obstacle(undefined, all) };
      }
      // With half a surrogate pair in it the text says U+FFFD where the document in memory does not.
      if (text.includes('\ufffd')) forget(document._id);
      else remember(document._id, { row: old.row, document, size: text.length });
      return { written: true };
    },
    forget,
    undo() {
      for (const id of touched) cache.delete(id);
      touched.clear();
      nextRow = undefined;
      madeBlock = undefined;
    },
    keep: () => touched.clear(),
  };
}

// The document goes in as bytes and becomes text inside SQLite: the library's own conversion of long texts, one
// character at a time, halves the rate of inserts.
const DOCUMENT = 'CAST(? AS TEXT)';

function statements(table: Table): { byId: string; insert: string; names: readonly string[] } {
  const names = table.columns.map(({ path }) => columnName(path));
  const head = table.blocks === undefined ? ['_row'] : ['_row', '_block'];
  const columns = [...head, '_id', 'doc', ...names];
  const values = [...head.map(() => '?'), '?', DOCUMENT, ...names.map(() => '?')];
  return {
    names,
    byId: `SELECT _row, doc FROM ${table.name} WHERE _id = ?`,
    insert: `INSERT INTO ${table.name} (${columns.join(', ')}) VALUES (${values.join(', ')}) ON CONFLICT DO NOTHING`,
  };
}

/** Only the columns that changed: SQLite writes every index of a column that is named, changed or not. */
function updateSql(table: Table, moved: readonly Column[]): string {
  const orIgnore = moved.some(({ unique }) => unique) ? 'OR IGNORE ' : '';
  const assigned = [`doc = ${DOCUMENT}`, ...moved.map(({ path }) => `${columnName(path)} = ?`)].join(', ');
  return `UPDATE ${orIgnore}${table.name} SET ${assigned} WHERE _row = ?`;
}

function differs(old: unknown, next: unknown, segments: readonly string[]): boolean {
  const before = valueAt(old, segments);
  const after = valueAt(next, segments);
  return before !== after || isObject(after) || Array.isArray(after);
}

function bytes(text: string): Uint8Array {
  return Buffer.from(text);
}
