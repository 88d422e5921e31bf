// Executes the requests of protocol.ts on one collection's table.
import { AppError } from '@busbar/core';
import { applyUpdate } from '../../language/apply-update';
import { idOf } from '../../language/check';
import { matches } from '../../language/matches';
import type { BulkResult, CollectionDefinition, Document, Filter, Update } from '../../port';
import { filterAt } from '../flat';
import type { ChangeText, FlatChanges, FlatDocuments, NewRow, ReadRequest, WriteRequest } from '../protocol';
import type { Database } from './database';
import { changeLive } from './live';
import { createQueries, numberAt, type Queries } from './queries';
import { createRows, type Rows } from './rows';
import { describeTable, flatRows, newRow, type Table } from './table';

export type TableWrite = Exclude<WriteRequest, { readonly op: 'probe' | 'bulkThen' }>;
export type TableRead = Exclude<ReadRequest, { readonly op: 'hold' | 'release' }>;

export interface TableEngine {
  /** Inside a transaction. Where it throws, it may have written a part. */
  write(request: TableWrite): unknown;
  /** Documents are JSON texts. */
  read(request: TableRead): unknown;
}

/** The result of a change; neither a duplicate nor a miss changed anything. */
type Change = 'matched' | 'inserted' | 'missed' | 'duplicate';

interface Parts {
  readonly database: Database;
  readonly table: Table;
  readonly rows: Rows<Document>;
  readonly queries: Queries;
}

export function createTableEngine(definition: CollectionDefinition<Document>, database: Database): TableEngine {
  const table = describeTable(definition);
  const rows = createRows<Document>(table, database);
  const queries = createQueries(table, database);
  const parts = { database, table, rows, queries };
  return { write: (request) => write(parts, request), read: (request) => read(parts, request) };
}

function write(parts: Parts, request: TableWrite): unknown {
  switch (request.op) {
    case 'change': {
      const change = changeOne(parts, filterOf(request.change), request.change.update, request.upsert);
      mustBeFree(change !== 'duplicate');
      return change === 'matched' ? 1 : 0;
    }
    case 'changeMany':
      return changeMany(parts, request.filter, request.update);
    case 'bulk':
      return bulk(parts, request.items);
    case 'insertEach':
      return tallyOf(insertions(parts, request.documents));
    case 'changeEach':
      return tallyOf(changes(parts, request.changes));
    case 'delete':
      return parts.queries.delete(request.filter, request.limit);
    case 'increment':
      return increment(parts, request.change, request.path);
  }
}

function read({ rows, queries }: Parts, request: TableRead): unknown {
  switch (request.op) {
    case 'get':
      return rows.textOf(request.id);
    case 'find':
      return `[${queries.find(request.filter, request.options).join(',')}]`;
    case 'findValues':
      return JSON.stringify(queries.findValues(request.paths, request.filter, request.options));
    case 'count':
      return queries.count(request.filter);
    case 'countGroups':
      return queries.countGroups(request.paths, request.filter, request.sumPath);
  }
}

function changeOne(parts: Parts, filter: Filter, text: string, upsert = false): Change {
  const { database, rows, table } = parts;
  const update = JSON.parse(text) as Update;
  const isMatched = upsert ? undefined : changeLive(database, table, filter, update);
  if (isMatched !== undefined) return isMatched ? 'matched' : 'missed';
  const named = idOf(filter);
  const old = findToChange(parts, filter, named);
  if (old === 'other') return 'missed';
  if (old) return rows.change(old, applyUpdate(old.document, update)) ? 'matched' : 'duplicate';
  if (!upsert || named === undefined) return 'missed';
  return inserted(rows.insert(newRow(table, applyUpdate({ _id: named }, update))));
}

/** `other`: the document of that id does not match. */
function findToChange({ rows, queries }: Parts, filter: Filter, named: string | undefined) {
  const id = named ?? queries.firstId(filter);
  const found = id === undefined ? undefined : rows.byId(id);
  return found && named !== undefined && !matches(found.document, filter) ? 'other' : found;
}

function changeMany({ rows, queries }: Parts, filter: Filter, updateText: string): number {
  const update = JSON.parse(updateText) as Update;
  const ids = queries.ids(filter);
  for (const id of ids) {
    const old = rows.byId(id);
    if (old) mustBeFree(rows.change(old, applyUpdate(old.document, update)));
  }
  return ids.length;
}

function bulk(parts: Parts, items: readonly (NewRow | ChangeText)[]): BulkResult {
  return tallyOf(
    items.map((item) =>
      isRow(item) ? inserted(parts.rows.insert(item)) : changeOne(parts, filterOf(item), item.update),
    ),
  );
}

function* insertions(parts: Parts, documents: FlatDocuments): Generator<Change> {
  for (const row of flatRows(parts.table, documents)) yield inserted(parts.rows.insert(row));
}

function* changes(parts: Parts, flat: FlatChanges): Generator<Change> {
  for (const [n, update] of flat.updates.entries()) yield changeOne(parts, filterAt(flat, n), update);
}

function inserted(isInserted: boolean): Change {
  return isInserted ? 'inserted' : 'duplicate';
}

function tallyOf(changed: Iterable<Change>): BulkResult {
  const tally: Record<Change, number> = { matched: 0, inserted: 0, missed: 0, duplicate: 0 };
  for (const change of changed) tally[change] += 1;
  return { matched: tally.matched, inserted: tally.inserted };
}

function isRow(item: NewRow | ChangeText): item is NewRow {
  return Array.isArray(item);
}

function increment(parts: Parts, change: ChangeText, path: string): number {
  const filter = filterOf(change);
  changeOne(parts, filter, change.update, true);
  const id = idOf(filter);
  return numberAt(id === undefined ? undefined : parts.rows.byId(id)?.document, path);
}

function filterOf({ filter }: ChangeText): Filter {
  return JSON.parse(filter) as Filter;
}

function mustBeFree(isFree: boolean): void {
  if (!isFree) throw new AppError('conflict', 'a unique value is taken');
}
