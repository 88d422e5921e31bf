import { mongo } from 'mongoose';

import type { BulkOperation, BulkResult, Document } from '../port';
import { misuse } from '../language/check';
import { isDuplicateCode, isRefusalCode } from './errors';
import { filterQuery } from './filter-query';
import type { StoredDocument } from './filter-query';
import { updateDocument } from './update-document';

type Driver = mongo.Collection<StoredDocument>;
type Failure = mongo.WriteError;

/** Executes operations as one unordered write. Duplicates are left out. */
export async function runBulk<T extends Document>(
  driver: Driver,
  operations: readonly BulkOperation<T>[],
): Promise<BulkResult> {
  if (operations.length === 0) return { matched: 0, inserted: 0 };
  const { matched, failures } = await write(driver, operations.map(writeModel));
  for (const failure of failures) if (!isDuplicateCode(failure.code)) throw refused(failure);
  // Counted here, since the stand-in counts failed inserts too.
  const isInsert = (operation: BulkOperation<T> | undefined): boolean =>
    operation !== undefined && 'insert' in operation;
  const failed = failures.filter(({ index }) => isInsert(operations[index])).length;
  return { matched, inserted: operations.filter(isInsert).length - failed };
}

function writeModel<T extends Document>(operation: BulkOperation<T>): mongo.AnyBulkWriteOperation<StoredDocument> {
  if ('insert' in operation) return { insertOne: { document: operation.insert as unknown as StoredDocument } };
  // An empty update must count its matches.
  const update = updateDocument(operation.update) ?? { $setOnInsert: {} };
  return { updateOne: { filter: filterQuery(operation.filter), update } };
}

async function write(
  driver: Driver,
  models: readonly mongo.AnyBulkWriteOperation<StoredDocument>[],
): Promise<{ matched: number; failures: readonly Failure[] }> {
  try {
    return { matched: (await driver.bulkWrite(models, { ordered: false })).matchedCount, failures: [] };
  } catch (error) {
    if (!(error instanceof mongo.MongoBulkWriteError)) throw error;
    const failures = [error.writeErrors].flat();
    // Without a failed operation the write concern or the connection failed.
    if (failures.length === 0 || error.result.getWriteConcernError()) throw error;
    return { matched: error.result.matchedCount, failures };
  }
}

function refused(failure: Failure): Error {
  if (isRefusalCode(failure.code)) return misuse(`the store refused an operation: ${failure.errmsg ?? ''}`);
  return new mongo.MongoServerError({ message: failure.errmsg ?? 'a write failed', code: failure.code });
}
