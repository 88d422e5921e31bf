import type { Model, mongo } from 'mongoose';

import { AppError } from '@busbar/core';

import type {
  BulkOperation,
  Collection,
  CollectionDefinition,
  Document,
  Filter,
  FindOptions,
  Scalar,
  Update,
  ValuesOptions,
} from '../port';
import {
  checkChange,
  checkDocument,
  checkFilter,
  checkFind,
  checkOperation,
  checkPath,
  checkValues,
  idOf,
  misuse,
} from '../language/check';
import { splitPath, valueAt } from '../language/paths';
import { runBulk } from './bulk';
import { duplicateOf, isDuplicate, storeError } from './errors';
import { filterQuery } from './filter-query';
import type { Guard } from './guard';
import type { StoredDocument } from './filter-query';
import { uniquePaths } from './unique-paths';
import type { UniquePaths } from './unique-paths';
import { updateDocument } from './update-document';

const UPSERT_ATTEMPTS = 5;
const DELETE_CHUNK = 1_000;

/**
 * Decodes every field. Otherwise the driver looks names up in an empty object and finds `constructor` and the like
 * there. Lists below such a field would then be returned as bytes.
 */
const DECODED = { fieldsAsRaw: Object.create(null) as Record<string, never> };

type Driver = mongo.Collection<StoredDocument>;

/** Uses the driver's collection below the model: mongoose's casting would take the number 5 for the id "5". */
export function createMongoCollection<T extends Document>(
  definition: CollectionDefinition<T>,
  model: () => Model<StoredDocument>,
  guard: Guard,
): Collection<T> {
  const driver = (): Driver => model().collection as unknown as Driver;
  const unique = uniquePaths(definition);
  const changeOne = (filter: Filter, update: Update): Promise<number> => updateOne(driver(), filter, update);
  const upsertOne = (id: string, filter: Filter, update: Update): Promise<number> =>
    upsert(driver(), id, filter, update);

  return {
    get: (id) => guard(async () => ((await driver().findOne({ _id: id }, DECODED)) as T | null) ?? undefined),

    find: (filter, options = {}) =>
      guard(async () => {
        checkFind(filter, options);
        // For MongoDB a limit of 0 means none.
        if (options.limit === 0) return [];
        return (await driver().find(filterQuery(filter), findOptions(options)).toArray()) as unknown as T[];
      }),

    findValues: (filter, paths, options = {}) =>
      guard(async () => {
        checkValues(filter, paths, options);
        return options.limit === 0 ? [] : findValues(driver(), filter, paths, options);
      }),

    insert: (document) =>
      guard(async () => {
        checkDocument(document);
        try {
          await driver().insertOne(unique.stripDocument(document) as unknown as StoredDocument);
          return { inserted: true as const };
        } catch (error) {
          if (isDuplicate(error)) return { inserted: false as const, duplicateOf: duplicateOf(error.message) };
          throw error;
        }
      }),

    update: (filter, update, options = {}) =>
      guard(async () => {
        checkChange(filter, update, options);
        const change = unique.stripUpdate(update);
        const id = options.upsert === true ? idOf(filter) : undefined;
        try {
          if (options.many === true) return await updateMany(driver(), filter, change);
          return await (id === undefined ? changeOne(filter, change) : upsertOne(id, filter, change));
        } catch (error) {
          if (!isDuplicate(error)) throw error;
          const details = { index: duplicateOf(error.message) };
          throw new AppError('conflict', 'a unique value is taken', { details, cause: error });
        }
      }),

    bulk: (operations: readonly BulkOperation<T>[]) =>
      guard(async () => {
        operations.forEach(checkOperation);
        const stripped = operations.map((operation) => strip(unique, operation));
        return runBulk(driver(), stripped, changeOne);
      }),

    delete: (filter, limit) =>
      guard(async () => {
        checkFind(filter, limit === undefined ? {} : { limit });
        const query = filterQuery(filter);
        return limit === undefined
          ? (await driver().deleteMany(query)).deletedCount
          : deleteSome(driver(), query, limit);
      }),

    count: (filter) =>
      guard(() => {
        checkFilter(filter);
        return driver().countDocuments(filterQuery(filter));
      }),

    countBy: (path, filter, sumPath) =>
      guard(() => {
        for (const each of sumPath === undefined ? [path] : [path, sumPath]) checkPath(each);
        checkFilter(filter);
        return countBy(driver(), path, filter, sumPath);
      }),

    countGroups: (paths, filter) =>
      guard(() => {
        checkValues(filter, paths, {});
        return countGroups(driver(), paths, filter);
      }),

    incrementAndGet: (id, path, by = 1) => guard(() => incrementAndGet(driver(), id, path, by)),
  };
}

function strip<T extends Document>(unique: UniquePaths, operation: BulkOperation<T>): BulkOperation<T> {
  if ('insert' in operation) return { insert: unique.stripDocument(operation.insert) };
  return { ...operation, update: unique.stripUpdate(operation.update) };
}

function findOptions(options: FindOptions): mongo.FindOptions {
  return {
    ...DECODED,
    ...(options.sort && options.sort.length > 0 ? { sort: options.sort } : {}),
    ...(options.limit === undefined ? {} : { limit: options.limit }),
    ...(options.skip === undefined ? {} : { skip: options.skip }),
    ...(options.fields ? { projection: projection(options.fields) } : {}),
  };
}

async function findValues(
  driver: Driver,
  filter: Filter,
  paths: readonly string[],
  options: ValuesOptions,
): Promise<Scalar[][]> {
  // Without `_id`, unless requested, an index suffices. A path below another one would be rejected.
  const highest = paths.filter((path) => !paths.some((other) => path.startsWith(`${other}.`)));
  const projected = { _id: 0, ...Object.fromEntries(highest.map((path) => [path, 1])) };
  const found = await driver.find(filterQuery(filter), { ...findOptions(options), projection: projected }).toArray();
  const segments = paths.map(splitPath);
  return found.map((document) => segments.map((each) => scalarOf(valueAt(document, each))));
}

function scalarOf(value: unknown): Scalar {
  return typeof value === 'object' || value === undefined ? null : (value as Scalar);
}

function projection(fields: readonly string[]): Record<string, 1> {
  return Object.fromEntries(['_id', ...fields].map((field) => [field, 1]));
}

async function updateOne(driver: Driver, filter: Filter, update: Update): Promise<number> {
  const change = updateDocument(update);
  if (!change) return driver.countDocuments(filterQuery(filter), { limit: 1 });
  return (await driver.updateOne(filterQuery(filter), change)).matchedCount;
}

async function updateMany(driver: Driver, filter: Filter, update: Update): Promise<number> {
  const change = updateDocument(update);
  if (!change) return driver.countDocuments(filterQuery(filter));
  return (await driver.updateMany(filterQuery(filter), change)).matchedCount;
}

/**
 * MongoDB fails one of two simultaneous inserts by the id; it is retried as an update. The id also fails where the
 * document exists and does not match: then the update matches nothing, as it should.
 */
async function upsert(driver: Driver, id: string, filter: Filter, update: Update): Promise<number> {
  const change = updateDocument(update) ?? { $setOnInsert: { _id: id } };
  for (let attempt = 1; ; attempt += 1) {
    try {
      return (await driver.updateOne(filterQuery(filter, true), change, { upsert: true })).matchedCount;
    } catch (error) {
      if (!isDuplicate(error) || duplicateOf(error.message) !== '_id') throw error;
      const matched = await updateOne(driver, filter, update);
      if (matched > 0 || attempt === UPSERT_ATTEMPTS) return matched;
      // Deleted again in between, or present and not matching.
      if ((await driver.countDocuments({ _id: id }, { limit: 1 })) > 0) return 0;
    }
  }
}

/** MongoDB deletes one or all. The filter is applied again, since a chosen document may have changed. */
async function deleteSome(driver: Driver, query: ReturnType<typeof filterQuery>, limit: number): Promise<number> {
  let deleted = 0;
  while (deleted < limit) {
    const some = Math.min(DELETE_CHUNK, limit - deleted);
    const chosen = await driver.find(query, { projection: { _id: 1 }, limit: some }).toArray();
    if (chosen.length === 0) break;
    const ids = chosen.map(({ _id }) => _id);
    deleted += (await driver.deleteMany({ $and: [{ _id: { $in: ids } }, query] })).deletedCount;
    if (chosen.length < some) break;
  }
  return deleted;
}

async function countBy(driver: Driver, path: string, filter: Filter, sumPath: string | undefined) {
  const sum = sumPath === undefined ? 0 : `$${sumPath}`;
  const groups = await driver
    .aggregate<{ _id: Scalar; count: number; sum: number }>([
      { $match: filterQuery(filter) },
      { $group: { _id: { $ifNull: [`$${path}`, null] }, count: { $sum: 1 }, sum: { $sum: sum } } },
    ])
    .toArray();
  return groups.map(({ _id, count, sum: total }) => ({ value: _id, count, sum: total }));
}

async function countGroups(driver: Driver, paths: readonly string[], filter: Filter) {
  const key = Object.fromEntries(paths.map((path, i) => [`v${String(i)}`, { $ifNull: [`$${path}`, null] }]));
  const found = await driver
    .aggregate<{ _id: Record<string, unknown>; count: number }>([
      { $match: filterQuery(filter) },
      { $group: { _id: key, count: { $sum: 1 } } },
    ])
    .toArray();
  const groups = new Map<string, { values: Scalar[]; count: number }>();
  for (const { _id, count } of found) {
    // A value that is no scalar counts as null, and so as absent.
    const values = paths.map((_path, i) => scalarOf(_id[`v${String(i)}`]));
    const same = JSON.stringify(values);
    groups.set(same, { values, count: count + (groups.get(same)?.count ?? 0) });
  }
  return [...groups.values()];
}

async function incrementAndGet(driver: Driver, id: string, path: string, by: number): Promise<number> {
  checkChange({ op: 'eq', path: '_id', value: id }, { inc: { [path]: by } }, {});
  const change = updateDocument({ inc: { [path]: by } }) ?? {};
  const options = { upsert: true, returnDocument: 'after', projection: { [path]: 1 } } as const;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const after = await driver.findOneAndUpdate({ _id: id }, change, options);
      const value = valueAt(after, splitPath(path));
      if (typeof value !== 'number') throw misuse(`"${path}" is not a number`);
      return value;
    } catch (error) {
      // Two upserts inserted the document at the same time: the other one succeeded.
      if (!isDuplicate(error) || attempt === UPSERT_ATTEMPTS) throw storeError(error);
    }
  }
}
