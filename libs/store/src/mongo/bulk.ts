import { mongo } from 'mongoose';

import type { BulkOperation, BulkResult, Document, Filter, Update } from '../port';
import { misuse } from '../language/check';
import { duplicateOf, isDuplicateCode, isRefusalCode } from './errors';
import { filterQuery } from './filter-query';
import type { StoredDocument } from './filter-query';
import { updateDocument } from './update-document';

type Driver = mongo.Collection<StoredDocument>;

/**
 * Executes operations as one unordered write. An upsert that fails by its own id is retried as an update. Either another
 * upsert inserted the document at the same time, or the document exists and does not match.
 */
export async function runBulk<T extends Document>(
  driver: Driver,
  operations: readonly BulkOperation<T>[],
  changeOne: (filter: Filter, update: Update) => Promise<number>,
): Promise<BulkResult> {
  if (operations.length === 0) return { matched: 0, upserted: 0, inserted: 0, duplicates: [] };
  const { result, failures } = await write(driver, operations.map(writeModel));
  let matched = result.matchedCount;
  const duplicates: number[] = [];
  for (const failure of failures) {
    if (!isDuplicateCode(failure.code)) throw refused(failure);
    const operation = operations[failure.index];
    const isMetUpsert = operation && 'filter' in operation && duplicateOf(failure.errmsg ?? '') === '_id';
    const again = isMetUpsert ? await changeOne(operation.filter, operation.update) : 0;
    if (again > 0) matched += again;
    else duplicates.push(failure.index);
  }
  duplicates.sort((a, b) => a - b);
  return { matched, upserted: result.upsertedCount, inserted: insertedOf(operations, failures), duplicates };
}

/** Counted here, since the stand-in counts failed inserts too. */
function insertedOf<T extends Document>(operations: readonly BulkOperation<T>[], failures: readonly Failure[]): number {
  const isInsert = (operation: BulkOperation<T> | undefined): boolean =>
    operation !== undefined && 'insert' in operation;
  return operations.filter(isInsert).length - failures.filter(({ index }) => isInsert(operations[index])).length;
}

function writeModel<T extends Document>(operation: BulkOperation<T>): mongo.AnyBulkWriteOperation<StoredDocument> {
  if ('insert' in operation) return { insertOne: { document: operation.insert as unknown as StoredDocument } };
  const upsert = operation.upsert === true;
  // An empty update must count its matches: it sets `_id` to itself.
  const update = updateDocument(operation.update) ?? { $setOnInsert: {} };
  return { updateOne: { filter: filterQuery(operation.filter, upsert), update, upsert } };
}

type Failure = mongo.WriteError;

async function write(
  driver: Driver,
  models: readonly mongo.AnyBulkWriteOperation<StoredDocument>[],
): Promise<{ result: mongo.BulkWriteResult; failures: readonly Failure[] }> {
  try {
    return { result: await driver.bulkWrite(models, { ordered: false }), failures: [] };
  } catch (error) {
    if (!(error instanceof mongo.MongoBulkWriteError)) throw error;
    const failures = [error.writeErrors].flat();
    // Without a failed operation the write concern or the connection failed.
    if (failures.length === 0 || error.result.getWriteConcernError()) throw error;
    return { result: error.result, failures };
  }
}

function refused(failure: Failure): Error {
  if (isRefusalCode(failure.code)) return misuse(`the store refused an operation: ${failure.errmsg ?? ''}`);
  return new mongo.MongoServerError({ message: failure.errmsg ?? 'a write failed', code: failure.code });
}
