// A collection as its callers see it: checks requests, encodes them and sends them to the engine.
import {
  checkChange,
  checkDocument,
  checkFilter,
  checkFind,
  checkGroups,
  checkOperation,
  checkValues,
  countUpdates,
  idOf,
  misuse,
} from '../language/check';
import { matches } from '../language/matches';
import { freezeDeep } from '../language/paths';
import type {
  BulkOperation,
  BulkOptions,
  BulkResult,
  Collection,
  CollectionDefinition,
  Document,
  Filter,
  FindOptions,
  Group,
  Scalar,
  Update,
} from '../port';
import type { Calls } from './calls';
import { toText } from './engine/column-value';
import { describeTable, newRow, type Table } from './engine/table';
import { flatChanges, flatDocuments } from './flat';
import type { BulkRequest, ChangeText, NewRow } from './protocol';
import { createReadCache, type ReadCache } from './read-cache';

export interface SqliteCollection<T extends Document> {
  readonly collection: Collection<T>;
  /** Clears the cache: the file may be another one now. */
  clear(): void;
  /** Another collection writes these documents into this one. Returns their place in the engine. */
  readonly receives: (documents: readonly Document[]) => number;
}

/** A collection of the same store, by its definition. */
export type Locate = (definition: CollectionDefinition<Document>) => Pick<SqliteCollection<Document>, 'receives'>;

interface Parts<T extends Document> {
  /** The collection's index in the engine. */
  readonly at: number;
  readonly table: Table;
  readonly calls: Calls;
  readonly cache: ReadCache<T>;
  readonly locate: Locate;
}

/** `at`: its index among the definitions that the engine was opened with. */
export function createSqliteCollection<T extends Document>(
  definition: CollectionDefinition<T>,
  at: number,
  calls: Calls,
  locate: Locate,
): SqliteCollection<T> {
  const cache = createReadCache<T>(async (id) => {
    const text = (await calls.read({ op: 'get', at, id })) as string | undefined;
    return text === undefined
      ? { document: undefined, size: 1 }
      : { document: freezeDeep(JSON.parse(text) as T), size: text.length };
  });
  const parts = { at, table: describeTable(definition), calls, cache, locate };
  const receives = (documents: readonly Document[]): number => {
    for (const { _id } of documents) cache.wrote(_id);
    return at;
  };
  return { collection: { ...readers(parts), ...writers(parts) }, clear: cache.clear, receives };
}

function readers<T extends Document>(
  parts: Parts<T>,
): Pick<Collection<T>, 'get' | 'find' | 'findValues' | 'count' | 'countGroups'> {
  const { at, calls, cache, table } = parts;
  return {
    get: async (id) =>
      table.isLog ? (await find(parts, { op: 'eq', path: '_id', value: id }, {}))[0] : cache.read(id),
    async find(filter, options = {}) {
      checkFind(filter, options);
      const id = table.isLog || options.skip !== undefined || options.limit === 0 ? undefined : idOf(filter);
      if (id === undefined) return find(parts, filter, options);
      const document = await cache.read(id);
      return document && matches(document, filter) ? [document] : [];
    },
    async findValues(filter, paths, options = {}) {
      checkValues(filter, paths, options);
      return JSON.parse((await calls.read({ op: 'findValues', at, paths, filter, options })) as string) as Scalar[][];
    },
    async count(filter) {
      checkFilter(filter);
      return (await calls.read({ op: 'count', at, filter })) as number;
    },
    async countGroups(paths, filter, sumPath) {
      checkGroups(filter, paths, sumPath);
      return (await calls.read({ op: 'countGroups', at, paths, filter, sumPath })) as Group[];
    },
  };
}

async function find<T extends Document>({ at, calls }: Parts<T>, filter: Filter, options: FindOptions): Promise<T[]> {
  return JSON.parse((await calls.read({ op: 'find', at, filter, options })) as string) as T[];
}

function writers<T extends Document>(
  parts: Parts<T>,
): Pick<Collection<T>, 'insert' | 'update' | 'bulk' | 'delete' | 'incrementAndGet'> {
  const { at, table, calls, cache } = parts;
  return {
    async insert(document) {
      checkDocument(document);
      cache.wrote(document._id);
      const { inserted } = (await calls.write(1, { op: 'bulk', at, items: [newRow(table, document)] })) as BulkResult;
      return { inserted: inserted === 1 };
    },
    async update(filter, update, options = {}) {
      checkChange(filter, update, options);
      if (options.many === true) {
        cache.wrote();
        return (await calls.write(1, { op: 'changeMany', at, filter, update: toText(update) })) as number;
      }
      cache.wrote(idOf(filter));
      const { upsert = false } = options;
      return (await calls.write(1, { op: 'change', at, change: changeText(filter, update), upsert })) as number;
    },
    async bulk(operations, { whenAllMatched }: BulkOptions = {}) {
      operations.forEach(checkOperation);
      const bulk = bulkRequest(parts, operations);
      if (whenAllMatched === undefined) {
        if (operations.length === 0) return { matched: 0, inserted: 0 };
        return (await calls.write(operations.length, bulk)) as BulkResult;
      }
      const { into, documents } = whenAllMatched;
      documents.forEach(checkDocument);
      const flat = flatDocuments(documents.map((document) => ({ insert: document })));
      if (flat === undefined) throw misuse('documents that follow a bulk have scalars only');
      const then = { at: parts.locate(into).receives(documents), documents: flat, count: documents.length };
      const request = { op: 'bulkThen', bulk, matches: countUpdates(operations), then } as const;
      return (await calls.write(operations.length + documents.length, request)) as BulkResult;
    },
    async delete(filter, limit) {
      checkFind(filter, limit === undefined ? {} : { limit });
      cache.wrote(idOf(filter));
      return (await calls.write(1, { op: 'delete', at, filter, limit })) as number;
    },
    async incrementAndGet(id, path, by = 1) {
      const filter: Filter = { op: 'eq', path: '_id', value: id };
      const update: Update = { inc: { [path]: by } };
      checkChange(filter, update, {});
      cache.wrote(id);
      return (await calls.write(1, { op: 'increment', at, change: changeText(filter, update), path })) as number;
    },
  };
}

/** Fewer operations are encoded here: the keys and paths of a flat list cost the other thread more than they save. */
const MIN_FLAT = 4;

function bulkRequest<T extends Document>(
  { at, table, cache }: Parts<T>,
  operations: readonly BulkOperation<T>[],
): BulkRequest {
  for (const operation of operations) {
    cache.wrote('insert' in operation ? operation.insert._id : idOf(operation.filter));
  }
  const isBatch = operations.length >= MIN_FLAT;
  const documents = isBatch && flatDocuments(operations);
  if (documents) return { op: 'insertEach', at, documents };
  const changes = isBatch && flatChanges(operations);
  if (changes) return { op: 'changeEach', at, changes };
  return { op: 'bulk', at, items: operations.map((operation) => itemOf(table, operation)) };
}

function itemOf<T extends Document>(table: Table, operation: BulkOperation<T>): NewRow | ChangeText {
  if ('insert' in operation) return newRow(table, operation.insert);
  return changeText(operation.filter, operation.update);
}

function changeText(filter: Filter, update: Update): ChangeText {
  return { filter: toText(filter), update: toText(update) };
}
