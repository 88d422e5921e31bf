// Reads and writes single rows of one table, inside the engine's transaction.
import { LRUCache } from 'lru-cache';
import { valueAt } from '../../language/paths';
import type { Document } from '../../port';
import type { NewRow } from '../protocol';
import type { BlockKeys } from './block-keys';
import { textColumn, toColumn, toText } from './column-value';
import type { Database } from './database';
import { columnName, quoted } from './filter-sql';
import type { Journal } from './journal';
import { blockOf } from './table';
import type { Column, Table } from './table';
import { createDirtyDocuments, type CachedDocument } from './dirty-documents';

/** Characters of JSON text, all cached documents together. */
const MAX_CHARACTERS = 32 * 1024 * 1024;
/** The minimum that a document counts: at most 20,000 are cached. */
const MIN_CHARACTERS = Math.ceil(MAX_CHARACTERS / 20_000);

export interface Rows<T extends Document> {
  byId(id: string): CachedDocument<T> | undefined;
  /** The document's JSON text; an uncached one is not parsed. */
  textOf(id: string): string | undefined;
  /** False for a duplicate `_id` or unique value. */
  insert(row: NewRow): boolean;
  /** `update`: the JSON text of the update from `old` to `document`. False for a duplicate unique value. */
  change(old: CachedDocument<T>, document: T, update: string): boolean;
  /** Removes a document from memory that was deleted by a query. */
  forget(id: string): void;
  /** Dirty documents. */
  dirty(): number;
  isDirty(id: string): boolean;
  dirtySince(): number | undefined;
  /** Flushes the oldest dirty documents. */
  flush(max: number): void;
  mark(): number;
  /** Rolls the changes in memory back. */
  undoTo(mark: number): void;
  /** The transaction is committed. */
  commit(): void;
}

export interface RowsDeps {
  readonly database: Database;
  readonly journal: Journal;
  /** Present for a log only. Logs are not read by id: their rows are neither cached nor journaled. */
  readonly blockKeys: BlockKeys | undefined;
}

export function createRows<T extends Document>(table: Table, deps: RowsDeps): Rows<T> {
  const { database, journal, blockKeys } = deps;
  const cache = new LRUCache<string, CachedDocument<T>>({
    maxSize: MAX_CHARACTERS,
    sizeCalculation: ({ size }) => Math.max(size, MIN_CHARACTERS),
  });
  const dirty = createDirtyDocuments<T>();
  const touched = new Set<string>();
  const sql = statements(table);
  const numbers = createRowNumbers(table, database, blockKeys);

  const remember = (id: string, entry: CachedDocument<T>): void => {
    if (database.inTransaction()) touched.add(id);
    if (!table.isLog) cache.set(id, entry);
  };
  const forget = (id: string): void => {
    touched.add(id);
    cache.delete(id);
    const lagging = dirty.get(id);
    if (!lagging) return;
    dirty.delete(id);
    journal.note(table.documents, lagging.row, null);
  };
  const find = (id: string): CachedDocument<T> | undefined => {
    const [found] = database.all(sql.byId, [textColumn(id)]);
    if (!found) return undefined;
    const text = String(found['doc']);
    const entry = { row: Number(found['_row']), document: JSON.parse(text) as T, size: text.length };
    remember(id, entry);
    return entry;
  };
  const invalidateRow = (row: number): void => {
    const [found] = database.all(`SELECT _block FROM ${table.name} WHERE _row = ?`, [row]);
    blockKeys?.changed(Number(found?.['_block']));
  };
  const flush = (max: number): void => {
    for (const [id, { row, document }] of dirty.oldest(max)) {
      const text = toText(document);
      database.run(sql.flush, [bytes(text), row]);
      journal.note(table.documents, row, null);
      dirty.delete(id);
      remember(id, { row, document, size: text.length });
    }
  };

  return {
    byId: (id) => dirty.get(id) ?? cache.get(id) ?? find(id),
    textOf(id) {
      const known = dirty.get(id) ?? cache.get(id);
      if (known) return toText(known.document);
      const [found] = database.all(sql.byId, [textColumn(id)]);
      return found && String(found['doc']);
    },
    insert([id, text, ...columns]) {
      const numbered = numbers.next();
      const doc = table.isWide ? [] : [bytes(text)];
      if (database.run(sql.insert, [...numbered, textColumn(id), ...doc, ...columns]) === 0) return false;
      if (table.isWide) database.run(sql.insertDocument, [numbered[0], bytes(text)]);
      numbers.taken();
      return true;
    },
    change(old, document, update) {
      // Updates copy what they touch, so an identical object is an unchanged one.
      const moved = table.columns.filter(
        ({ segments }) => valueAt(old.document, segments) !== valueAt(document, segments),
      );
      const values = moved.map(({ segments }) => toColumn(valueAt(document, segments)));
      const texts = table.isLog ? [bytes(toText(document))] : [];
      if (moved.length + texts.length > 0) {
        if (database.run(updateSql(table, moved), [...texts, ...values, old.row]) === 0) return false;
      }
      if (table.isLog) {
        if (moved.some(({ path }) => path === table.scattered)) invalidateRow(old.row);
        return true;
      }
      const since = dirty.get(document._id)?.since ?? journal.next();
      journal.note(table.documents, old.row, update);
      dirty.put(document._id, { row: old.row, document, size: old.size, since });
      return true;
    },
    forget,
    dirty: dirty.size,
    isDirty: (id) => dirty.get(id) !== undefined,
    dirtySince: () => dirty.oldest(1)[0]?.[1].since,
    flush,
    mark: dirty.mark,
    undoTo(mark) {
      dirty.undoTo(mark);
      for (const id of touched) cache.delete(id);
      numbers.forget();
      blockKeys?.undo();
    },
    commit() {
      touched.clear();
      blockKeys?.commit();
      dirty.commit();
    },
  };
}

/** The numbers of new rows, and of their blocks in a log. */
function createRowNumbers(table: Table, database: Database, blockKeys: BlockKeys | undefined) {
  let nextRow: number | undefined;
  let madeBlock: number | undefined;
  const readNext = (): number =>
    Number(database.all(`SELECT coalesce(max(_row), 0) AS last FROM ${table.name}`)[0]?.['last']) + 1;
  return {
    next(): readonly [row: number, ...block: number[]] {
      nextRow ??= readNext();
      if (table.blocks === undefined) return [nextRow];
      const block = blockOf(nextRow);
      if (madeBlock !== block) {
        database.run(`INSERT OR IGNORE INTO ${table.blocks} (block) VALUES (?)`, [block]);
        blockKeys?.opened(block);
      }
      madeBlock = block;
      return [nextRow, block];
    },
    taken() {
      if (nextRow !== undefined) nextRow += 1;
    },
    /** Read again after a rollback. */
    forget() {
      nextRow = undefined;
      madeBlock = undefined;
    },
  };
}

// The document is bound as bytes and becomes text inside SQLite. The library converts long texts one character at a
// time, which halves the rate of inserts.
const DOCUMENT = 'CAST(? AS TEXT)';

function statements(table: Table) {
  const { name, source } = table;
  const documents = quoted(table.documents);
  const head = table.blocks === undefined ? ['_row'] : ['_row', '_block'];
  const names = table.columns.map(({ path }) => columnName(path));
  const doc = table.isWide ? [] : ['doc'];
  const columns = [...head, '_id', ...doc, ...names];
  const values = [...head.map(() => '?'), '?', ...doc.map(() => DOCUMENT), ...names.map(() => '?')];
  return {
    byId: `SELECT _row, doc FROM ${source} WHERE _id = ?`,
    insert: `INSERT INTO ${name} (${columns.join(', ')}) VALUES (${values.join(', ')}) ON CONFLICT DO NOTHING`,
    insertDocument: `INSERT INTO ${documents} (_row, doc) VALUES (?, ${DOCUMENT})`,
    flush: `UPDATE ${documents} SET doc = ${DOCUMENT} WHERE _row = ?`,
  };
}

/** Only the changed columns: SQLite writes every index of a named column, changed or not. */
function updateSql(table: Table, moved: readonly Column[]): string {
  const orIgnore = moved.some(({ unique }) => unique) ? 'OR IGNORE ' : '';
  const text = table.isLog ? [`doc = ${DOCUMENT}`] : [];
  const assigned = [...text, ...moved.map(({ path }) => `${columnName(path)} = ?`)].join(', ');
  return `UPDATE ${orIgnore}${table.name} SET ${assigned} WHERE _row = ?`;
}

function bytes(text: string): Uint8Array {
  return Buffer.from(text);
}
