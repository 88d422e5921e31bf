// Checks requests before an adapter executes them, so that both adapters reject the same ones. MongoDB rejects some of
// them late, with other errors, or not at all.
import { AppError } from '@busbar/core';

import type { BulkOperation, Document, Filter, FindOptions, IndexDefinition, Update, UpdateOptions } from '../port';

const MAX_FILTER_DEPTH = 20;
const DOT = 46;
const DOLLAR = 36;
const MAX_IN_VALUES = 100_000;

/** A mistake of the calling code: AppError `internal`. */
export function misuse(message: string): AppError {
  return new AppError('internal', message);
}

export function checkPath(path: string): void {
  const first = path.charCodeAt(0);
  // No empty segment, and none that begins with `$`.
  const isPath =
    first !== DOT && first !== DOLLAR && !path.endsWith('.') && !path.includes('..') && !path.includes('.$');
  if (path === '' || !isPath) throw misuse(`"${path}" is not a path`);
}

export function checkDocument(document: Document): void {
  // Types do not protect untyped callers: MongoDB would give a document without an id one of its own.
  if (typeof document._id !== 'string' || document._id === '') throw misuse('a document needs a text as its _id');
}

export function checkFilter(filter: Filter, depth = 0): void {
  if (depth > MAX_FILTER_DEPTH) throw misuse('a filter is nested too deeply');
  if ('filters' in filter) {
    for (const inner of filter.filters) checkFilter(inner, depth + 1);
    return;
  }
  checkPath(filter.path);
  if (filter.op === 'in') {
    if (filter.values.length > MAX_IN_VALUES) throw misuse(`more than ${String(MAX_IN_VALUES)} values in a list`);
    filter.values.forEach(checkScalar);
    return;
  }
  checkScalar(filter.value);
}

export function checkFind(filter: Filter, options: FindOptions): void {
  checkFilter(filter);
  for (const [path] of options.sort ?? []) checkPath(path);
  for (const bound of [options.limit, options.skip]) {
    if (bound !== undefined && (!Number.isSafeInteger(bound) || bound < 0))
      throw misuse('limit and skip must not be negative');
  }
}

/** `checkFind`, and at least one path. */
export function checkValues(filter: Filter, paths: readonly string[], options: FindOptions): void {
  checkFind(filter, options);
  if (paths.length === 0) throw misuse('no paths are named');
  paths.forEach(checkPath);
}

/** `checkValues`, and the path of the sum. */
export function checkGroups(filter: Filter, paths: readonly string[], sumPath: string | undefined): void {
  checkValues(filter, paths, {});
  if (sumPath !== undefined) checkPath(sumPath);
}

/** Throws where two paths of one update overlap, since the result would depend on the server. */
export function checkUpdate(update: Update): void {
  const { set, unset, inc, max } = update;
  // Without lists of paths: this runs for every message.
  for (const path in set) checkUpdated(path, update);
  for (const path of unset ?? []) checkUpdated(path, update);
  for (const path in inc) checkIncrease(path, inc[path], update);
  for (const path in max) checkIncrease(path, max[path], update);
}

function checkIncrease(path: string, value: unknown, update: Update): void {
  checkUpdated(path, update);
  checkScalar(value);
}

function checkUpdated(path: string, update: Update): void {
  checkPath(path);
  if (path === '_id' || path.startsWith('_id.')) throw misuse('an update must not change _id');
  if (timesUpdated(path, update) > 1) throw misuse(`"${path}" is updated twice`);
  for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
    if (timesUpdated(path.slice(0, dot), update) > 0) throw misuse(`"${path}" is updated twice`);
  }
}

function timesUpdated(path: string, { set, unset, inc, max }: Update): number {
  let times = 0;
  for (const part of [set, inc, max]) if (part !== undefined && Object.hasOwn(part, path)) times += 1;
  for (const each of unset ?? []) if (each === path) times += 1;
  return times;
}

/** `checkFilter` and `checkUpdate`, and that an upsert names its document and nothing else. */
export function checkChange(filter: Filter, update: Update, options: UpdateOptions): void {
  checkFilter(filter);
  checkUpdate(update);
  if (options.upsert !== true) return;
  if (options.many === true || filter.op === 'and' || idOf(filter) === undefined) {
    throw misuse('the filter of an upsert must be eq on _id');
  }
}

export function checkOperation<T extends Document>(operation: BulkOperation<T>): void {
  if ('insert' in operation) checkDocument(operation.insert);
  else checkChange(operation.filter, operation.update, {});
}

/** The number of documents that must match for `whenAllMatched`. */
export function countUpdates<T extends Document>(operations: readonly BulkOperation<T>[]): number {
  return operations.filter((operation) => 'filter' in operation).length;
}

export function checkIndexes(indexes: readonly IndexDefinition[]): void {
  for (const { name, paths, unique } of indexes) {
    for (const [path] of paths) checkPath(path);
    if (paths.length === 0) throw misuse(`index "${name}" has no path`);
    if (unique === true && paths.length > 1) throw misuse(`unique index "${name}" has more than one path`);
  }
}

/** The id of the one document that a filter can match: `eq` on `_id`, alone or in an `and`. */
export function idOf(filter: Filter): string | undefined {
  if (filter.op === 'and') {
    for (const inner of filter.filters) {
      const id = idOf(inner);
      if (id !== undefined) return id;
    }
    return undefined;
  }
  return filter.op === 'eq' && filter.path === '_id' && typeof filter.value === 'string' ? filter.value : undefined;
}

function checkScalar(value: unknown): void {
  if (typeof value === 'number' && !Number.isFinite(value)) throw misuse('a number must be finite');
  if (typeof value === 'object' && value !== null) throw misuse('a filter compares with texts, numbers and booleans');
  if (value === undefined) throw misuse('a filter compares with undefined');
}
