import type { Model, mongo } from 'mongoose';

import { AppError } from '@busbar/core';

import type {
  BulkOperation,
  BulkOptions,
  Collection,
  CollectionDefinition,
  Document,
  Filter,
  FindOptions,
  Group,
  Scalar,
  Update,
} from '../port';
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
import { mergedGroups } from '../language/groups';
import { valueAtPath } from '../language/paths';
import { runBulk } from './bulk';
import { isDuplicate } from './errors';
import { filterQuery, type Query, type StoredDocument } from './filter-query';
import { createGatheredGets } from './gathered-gets';
import type { Guard } from './guard';
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
  model: () => Model<StoredDocument>,
  guard: Guard,
  collectionOf: (definition: CollectionDefinition<Document>) => Collection<Document>,
): Collection<T> {
  const driver = (): Driver => model().collection as unknown as Driver;

  return {
    get: createGatheredGets((ids) => guard(() => getAll<T>(driver(), ids))),

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
          await driver().insertOne(document as unknown as StoredDocument);
          return { inserted: true };
        } catch (error) {
          if (isDuplicate(error)) return { inserted: false };
          throw error;
        }
      }),

    update: (filter, update, options = {}) =>
      guard(async () => {
        checkChange(filter, update, options);
        const id = options.upsert === true ? idOf(filter) : undefined;
        try {
          if (id !== undefined) return await upsert(driver(), id, update);
          return await updateMatches(driver(), filterQuery(filter), update, options.many === true);
        } catch (error) {
          if (!isDuplicate(error)) throw error;
          throw new AppError('conflict', 'a unique value is taken', { cause: error });
        }
      }),

    async bulk(operations: readonly BulkOperation<T>[], { whenAllMatched }: BulkOptions = {}) {
      const result = await guard(async () => {
        operations.forEach(checkOperation);
        return runBulk(driver(), operations);
      });
      if (whenAllMatched === undefined || result.matched < countUpdates(operations)) return result;
      const inserts = whenAllMatched.documents.map((document) => ({ insert: document }));
      return { ...result, followed: (await collectionOf(whenAllMatched.into).bulk(inserts)).inserted };
    },

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

    countGroups: (paths, filter, sumPath) =>
      guard(() => {
        checkGroups(filter, paths, sumPath);
        return countGroups(driver(), paths, filter, sumPath);
      }),

    incrementAndGet: (id, path, by = 1) => guard(() => incrementAndGet(driver(), id, path, by)),
  };
}

async function getAll<T extends Document>(driver: Driver, ids: readonly string[]): Promise<T[]> {
  const [only, ...more] = ids;
  const query = only !== undefined && more.length === 0 ? { _id: only } : { _id: { $in: [...ids] } };
  return (await driver.find(query, DECODED).toArray()) as unknown as T[];
}

function findOptions(options: FindOptions): mongo.FindOptions {
  return {
    ...DECODED,
    ...(options.sort && options.sort.length > 0 ? { sort: options.sort } : {}),
    ...(options.limit === undefined ? {} : { limit: options.limit }),
    ...(options.skip === undefined ? {} : { skip: options.skip }),
  };
}

async function findValues(
  driver: Driver,
  filter: Filter,
  paths: readonly string[],
  options: FindOptions,
): Promise<Scalar[][]> {
  // Without `_id`, unless requested, an index suffices. A path below another one would be rejected.
  const highest = paths.filter((path) => !paths.some((other) => path.startsWith(`${other}.`)));
  const projected = { _id: 0, ...Object.fromEntries(highest.map((path) => [path, 1])) };
  const found = await driver.find(filterQuery(filter), { ...findOptions(options), projection: projected }).toArray();
  return found.map((document) => paths.map((path) => scalarOf(valueAtPath(document, path))));
}

function scalarOf(value: unknown): Scalar {
  return typeof value === 'object' || value === undefined ? null : (value as Scalar);
}

async function updateMatches(driver: Driver, query: Query, update: Update, isMany: boolean): Promise<number> {
  const change = updateDocument(update);
  if (!change) return driver.countDocuments(query, isMany ? {} : { limit: 1 });
  return (await (isMany ? driver.updateMany(query, change) : driver.updateOne(query, change))).matchedCount;
}

async function upsert(driver: Driver, id: string, update: Update): Promise<number> {
  const change = updateDocument(update) ?? { $setOnInsert: { _id: id } };
  return (await retryDuplicate(() => driver.updateOne({ _id: id }, change, { upsert: true }))).matchedCount;
}

/** MongoDB fails one of two simultaneous inserts of an id; it is repeated and finds the other's document. */
async function retryDuplicate<R>(write: () => Promise<R>): Promise<R> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await write();
    } catch (error) {
      if (!isDuplicate(error) || attempt === UPSERT_ATTEMPTS) throw error;
    }
  }
}

/** MongoDB deletes one or all. The filter is applied again, since a chosen document may have changed. */
async function deleteSome(driver: Driver, query: Query, limit: number): Promise<number> {
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

async function countGroups(
  driver: Driver,
  paths: readonly string[],
  filter: Filter,
  sumPath: string | undefined,
): Promise<Group[]> {
  const key = Object.fromEntries(paths.map((path, i) => [`v${String(i)}`, { $ifNull: [`$${path}`, null] }]));
  const summed = sumPath === undefined ? 0 : `$${sumPath}`;
  const found = await driver
    .aggregate<{ _id: Record<string, unknown>; count: number; sum: number }>([
      { $match: filterQuery(filter) },
      { $group: { _id: key, count: { $sum: 1 }, sum: { $sum: summed } } },
    ])
    .toArray();
  return mergedGroups(
    found.map(({ _id, ...group }) => ({ ...group, values: paths.map((_path, i) => scalarOf(_id[`v${String(i)}`])) })),
  );
}

async function incrementAndGet(driver: Driver, id: string, path: string, by: number): Promise<number> {
  checkChange({ op: 'eq', path: '_id', value: id }, { inc: { [path]: by } }, {});
  const change = updateDocument({ inc: { [path]: by } }) ?? {};
  const options = { upsert: true, returnDocument: 'after', projection: { [path]: 1 } } as const;
  const after = await retryDuplicate(() => driver.findOneAndUpdate({ _id: id }, change, options));
  const value = valueAtPath(after, path);
  if (typeof value !== 'number') throw misuse(`"${path}" is not a number`);
  return value;
}
