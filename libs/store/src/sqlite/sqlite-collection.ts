import { AppError } from '@busbar/core';

import type {
  BulkOperation,
  BulkResult,
  Collection,
  CollectionDefinition,
  Document,
  Filter,
  FindOptions,
  InsertResult,
  Update,
  UpdateOptions,
} from '../port';
import { applyUpdate, upsertedDocument } from '../language/apply-update';
import { checkChange, checkDocument, checkFilter, checkFind, checkOperation, checkPath, idOf } from '../language/check';
import { matches } from '../language/matches';
import type { Database } from './database';
import type { CacheBounds } from './document-cache';
import { createQueries } from './queries';
import { createRows } from './rows';
import type { NewRow, Rows, Written } from './rows';
import { describeTable, pruneBlocks } from './table';
import type { Table } from './table';

/** What a collection needs of its store. */
export interface Engine {
  /** Throws AppError `unavailable` unless the store is open. */
  database(): Database;
  /** Runs in the next group; see write-queue.ts. */
  write<T>(weight: number, work: () => T): Promise<T>;
  readonly cache: CacheBounds;
}

export interface SqliteCollection<T extends Document> extends Collection<T> {
  readonly table: Table;
  /** After a rollback: forget what was not stored. After a commit: keep it. */
  undo(): void;
  keep(): void;
}

type Prepared<T extends Document> = { readonly row: NewRow } | Exclude<BulkOperation<T>, { readonly insert: T }>;

interface Tally {
  matched: number;
  upserted: number;
  inserted: number;
  readonly duplicates: number[];
}

/** What a change came to; a duplicate changed nothing. */
type Change = 'matched' | 'upserted' | 'missed' | { readonly duplicateOf: string };

export function createSqliteCollection<T extends Document>(
  definition: CollectionDefinition<T>,
  engine: Engine,
): SqliteCollection<T> {
  const table = describeTable(definition);
  const rows = createRows<T>(engine.database, table, engine.cache);
  const queries = createQueries<T>(engine.database, table, rows.byId);
  const changeOne = oneChanger(rows, queries.firstId);

  const changeMany = (filter: Filter, update: Update): number => {
    const ids = queries.ids(filter);
    for (const id of ids) {
      const old = rows.byId(id);
      if (old) mustBeFree(rows.replace(old, applyUpdate(old.document, update)));
    }
    return ids.length;
  };
  const atomically = <R>(work: () => R): R => savepoint(engine.database(), work, rows.undo);

  return {
    table,
    undo: rows.undo,
    keep: rows.keep,
    ...readers(engine, rows, queries),

    async insert(document): Promise<InsertResult> {
      checkDocument(document);
      const row = rows.prepare(document);
      const result = await engine.write(1, () => rows.insert(row));
      return result.written ? { inserted: true } : { inserted: false, duplicateOf: result.duplicateOf };
    },

    async update(filter: Filter, update: Update, options: UpdateOptions = {}) {
      checkChange(filter, update, options);
      if (options.many === true) return engine.write(1, () => atomically(() => changeMany(filter, update)));
      const change = await engine.write(1, () => changeOne({ filter, update, upsert: options.upsert === true }));
      if (typeof change === 'object' && change.duplicateOf !== '_id') mustBeFree({ written: false, ...change });
      return change === 'matched' ? 1 : 0;
    },

    async bulk(operations): Promise<BulkResult> {
      operations.forEach(checkOperation);
      if (operations.length === 0) return { matched: 0, upserted: 0, inserted: 0, duplicates: [] };
      const prepared = operations.map((operation) => prepare(rows, operation));
      return engine.write(operations.length, () => atomically(() => bulkOf(rows, prepared, changeOne)));
    },

    async delete(filter, limit) {
      checkFind(filter, limit === undefined ? {} : { limit });
      return engine.write(1, () => {
        const deleted = queries.delete(filter, limit);
        for (const id of deleted.ids) rows.forget(id);
        if (deleted.count > 0) pruneBlocks(engine.database(), table);
        return deleted.count;
      });
    },

    async incrementAndGet(id, path, by = 1) {
      checkChange({ op: 'eq', path: '_id', value: id }, { inc: { [path]: by } }, {});
      return engine.write(1, () => {
        changeOne({ filter: { op: 'eq', path: '_id', value: id }, update: { inc: { [path]: by } }, upsert: true });
        return queries.numberAt(rows.byId(id)?.document, path);
      });
    },
  };
}

type Readers<T extends Document> = Pick<Collection<T>, 'get' | 'find' | 'count' | 'countBy'>;

/** Synchronous inside, so they see what is committed and nothing of a transaction. */
function readers<T extends Document>(engine: Engine, rows: Rows<T>, queries: ReturnType<typeof createQueries<T>>) {
  const reading = async <R>(read: () => R): Promise<R> => {
    engine.database();
    return Promise.resolve(read());
  };
  const all: Readers<T> = {
    get: (id) => reading(() => rows.byId(id)?.document),
    find: (filter, options: FindOptions = {}) =>
      reading(() => {
        checkFind(filter, options);
        return queries.find(filter, options);
      }),
    count: (filter) =>
      reading(() => {
        checkFilter(filter);
        return queries.count(filter);
      }),
    countBy: (path, filter, sumPath) =>
      reading(() => {
        checkFilter(filter);
        checkPath(path);
        if (sumPath !== undefined) checkPath(sumPath);
        return queries.countBy(path, filter, sumPath);
      }),
  };
  return all;
}

interface OneChange {
  readonly filter: Filter;
  readonly update: Update;
  readonly upsert: boolean;
}

function oneChanger<T extends Document>(rows: Rows<T>, firstId: (filter: Filter) => string | undefined) {
  return ({ filter, update, upsert }: OneChange): Change => {
    const named = idOf(filter);
    const id = named ?? firstId(filter);
    const old = id === undefined ? undefined : rows.byId(id);
    if (old) {
      if (named !== undefined && !matches(old.document, filter)) return upsert ? { duplicateOf: '_id' } : 'missed';
      return outcome(rows.replace(old, applyUpdate(old.document, update)), 'matched');
    }
    if (!upsert || named === undefined) return 'missed';
    return outcome(rows.insert(rows.prepare(upsertedDocument(named, update))), 'upserted');
  };
}

function prepare<T extends Document>(rows: Rows<T>, operation: BulkOperation<T>): Prepared<T> {
  return 'insert' in operation ? { row: rows.prepare(operation.insert) } : operation;
}

function bulkOf<T extends Document>(
  rows: Rows<T>,
  operations: readonly Prepared<T>[],
  changeOne: (change: OneChange) => Change,
): BulkResult {
  const tally: Tally = { matched: 0, upserted: 0, inserted: 0, duplicates: [] };
  operations.forEach((operation, index) => {
    const change =
      'row' in operation
        ? outcome(rows.insert(operation.row), 'inserted')
        : changeOne({ ...operation, upsert: operation.upsert === true });
    if (typeof change === 'object') tally.duplicates.push(index);
    else if (change !== 'missed') tally[change] += 1;
  });
  return tally;
}

function outcome<C extends string>(result: Written, change: C): C | { readonly duplicateOf: string } {
  return result.written ? change : { duplicateOf: result.duplicateOf };
}

function mustBeFree(result: Written): void {
  if (result.written) return;
  throw new AppError('conflict', 'a value that must be unique is taken', { details: { index: result.duplicateOf } });
}

/** All of `work` or nothing of it, without touching what else is in the transaction. */
function savepoint<R>(database: Database, work: () => R, undo: () => void): R {
  database.run('SAVEPOINT operation');
  try {
    const result = work();
    database.run('RELEASE operation');
    return result;
  } catch (error) {
    // A failing disk may have ended the whole transaction already.
    if (database.inTransaction()) {
      database.run('ROLLBACK TO operation');
      database.run('RELEASE operation');
    }
    undo();
    throw error;
  }
}
