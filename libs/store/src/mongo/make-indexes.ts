// Creates the missing indexes, and those with a changed declaration anew. That takes as long as the server needs for
// the stored documents. Other processes may do the same at the same time.
import { mongo } from 'mongoose';
import type { Model } from 'mongoose';

import { AppError, backoff, withDeadline, type Clock } from '@busbar/core';

import { isDuplicate } from './errors';
import { CALL_MS, noAnswer } from './guard';
import type { StoredDocument } from './filter-query';

const INDEX_NOT_FOUND = 27;
const INDEX_OPTIONS_CONFLICT = 85;
const INDEX_KEY_SPECS_CONFLICT = 86;
const INDEX_BUILD_ABORTED = 276;

const PAUSE_FIRST_MS = 1_000;
const PAUSE_MAX_MS = 60_000;
/** Attempts that another process undid. So many mean that it declares the index otherwise. */
const MAX_LOST_LISTED = 20;

export interface MakeIndexesDeps {
  readonly clock: Clock;
  /** The server takes longer than a response is awaited: it continues, and is asked again. */
  readonly onSlow: (collection: string, index: string) => void;
  /** The store is stopped. */
  readonly signal: AbortSignal;
}

/**
 * Throws AppError `invalid_configuration` where the stored documents violate a unique index. Throws `unavailable` when
 * the store is stopped or the driver has lost a call, and the driver's error when the server is unavailable.
 */
export async function makeIndexes(
  model: Pick<Model<StoredDocument>, 'schema' | 'collection'>,
  deps: MakeIndexesDeps,
): Promise<void> {
  for (const [keys, options] of model.schema.indexes()) {
    await makeIndex(model.collection, keys as mongo.IndexSpecification, options as mongo.CreateIndexesOptions, deps);
  }
}

type IndexedCollection = Pick<Model<StoredDocument>['collection'], 'name' | 'createIndex' | 'dropIndex'>;

async function makeIndex(
  collection: IndexedCollection,
  keys: mongo.IndexSpecification,
  options: mongo.CreateIndexesOptions,
  { clock, onSlow, signal }: MakeIndexesDeps,
): Promise<void> {
  const name = String(options.name);
  // The server creates an index once, however many processes ask.
  const pauses = backoff({ firstMs: PAUSE_FIRST_MS, maxMs: PAUSE_MAX_MS, random: () => 0 });
  for (let lost = 0; lost <= MAX_LOST_LISTED;) {
    if (signal.aborted) throw new AppError('unavailable', 'the store is stopped');
    try {
      await withDeadline(clock, CALL_MS, collection.createIndex(keys, options, {}), noAnswer);
      return;
    } catch (error) {
      const code = codeOf(error);
      if (isSlow(error)) {
        onSlow(collection.name, name);
        await pause(clock, pauses.next(), signal);
      } else if (code === INDEX_OPTIONS_CONFLICT || code === INDEX_KEY_SPECS_CONFLICT) {
        lost += 1;
        await drop(collection, name, clock);
      } else if (code === INDEX_BUILD_ABORTED) lost += 1;
      else if (isDuplicate(error)) {
        const where = `the index ${name} of ${collection.name}`;
        throw new AppError('invalid_configuration', `${where} cannot be created on the stored documents`, {
          cause: error,
        });
      } else throw error;
    }
  }
  const others = `another process declares the index ${name} of ${collection.name} otherwise`;
  throw new AppError('invalid_configuration', `${others}: run one version of this service on a database.`);
}

async function drop(collection: IndexedCollection, name: string, clock: Clock): Promise<void> {
  try {
    await withDeadline(clock, CALL_MS, collection.dropIndex(name), noAnswer);
  } catch (error) {
    // Another process that starts at the same time created it.
    if (codeOf(error) !== INDEX_NOT_FOUND) throw error;
  }
}

/** The response does not come on an existing connection. An unavailable server has no connection. */
function isSlow(error: unknown): boolean {
  if (!(error instanceof mongo.MongoNetworkTimeoutError)) return false;
  return !('beforeHandshake' in error && error.beforeHandshake === true);
}

function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      timer.cancel();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = clock.after(ms, done);
    signal.addEventListener('abort', done);
  });
}

function codeOf(error: unknown): unknown {
  return error instanceof mongo.MongoServerError ? error.code : undefined;
}
