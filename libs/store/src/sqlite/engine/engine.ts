// The data file and all its operations, synchronous, in a thread of its own. The store (../sqlite-store.ts) sends
// requests in turns. The writes of all turns that have arrived share one transaction and one sync.
import { AppError, messageOf } from '@busbar/core';
import { misuse } from '../../language/check';
import type { BulkResult } from '../../port';
import { errorText } from '../error-text';
import type { EngineOptions, ErrorText, ReadRequest, Replies, Reply, Turn, WriteRequest } from '../protocol';
import { isStorageFailure, openDatabase, type Database } from './database';
import { prepareTable } from './prepare-table';
import { createTableEngine, PartialWriteError, type TableEngine } from './table-engine';
import { describeTable } from './table';

/** Raise it with every change of the tables that `prepareTable` does not make on an older file. */
export const LAYOUT_VERSION = 6;

export interface Engine {
  /** Executes the requests of the turns in order, and returns their responses; reads see the writes. */
  serve(turns: readonly Turn[]): Replies;
  /** Checkpoints and closes the file; returns the error of the checkpoint. */
  close(): string | undefined;
}

/** Throws AppError `unavailable` or `invalid_configuration` where the file cannot be used. */
export function openEngine(options: EngineOptions): Engine {
  const database = openDatabase(options.file, options.maxBytes);
  try {
    return engineOn(database, options);
  } catch (error) {
    database.close();
    throw error;
  }
}

function engineOn(database: Database, options: EngineOptions): Engine {
  prepare(database, options);
  const tables = options.definitions.map((definition) => createTableEngine(definition, database));
  const parts: EngineParts = { database, tables };
  return {
    serve(turns) {
      const writes = turns.flatMap((turn) => turn.writes);
      const written = writes.length === 0 ? { replies: [] } : writeAll(parts, writes);
      const reads = turns.flatMap((turn) => turn.reads.map(([call, request]) => answerRead(parts, call, request)));
      return { ...written, replies: [...written.replies, ...reads], wrote: writes.length > 0 };
    },
    close() {
      try {
        database.checkpoint();
        return undefined;
      } catch (error) {
        return messageOf(error);
      } finally {
        database.close();
      }
    },
  };
}

interface EngineParts {
  readonly database: Database;
  readonly tables: readonly TableEngine[];
}

type Failures = Map<number, ErrorText>;

interface Written {
  readonly replies: readonly Reply[];
  readonly failure?: ErrorText;
}

/**
 * Sets every write's response. When the group as a whole failed, to that failure. `failed`: the errors of requests that failed
 * half-way before, and are left out now.
 */
function writeAll(parts: EngineParts, writes: Turn['writes'], failed: Failures = new Map()): Written {
  const { database } = parts;
  try {
    database.run('BEGIN IMMEDIATE');
    const replies = writes.map(([call, request]): Reply => {
      const error = failed.get(call);
      return error ? [call, undefined, error] : answerWrite(parts, call, request, failed);
    });
    database.run('COMMIT');
    return { replies };
  } catch (cause) {
    rollback(parts);
    // Rare: only a mistake of the code, and an update of many documents that takes a unique value.
    if (cause instanceof PartialWriteError) return writeAll(parts, writes, failed);
    const failure = errorText(new AppError('unavailable', 'the data file cannot be written', { cause }));
    return { replies: writes.map(([call]) => [call, undefined, failure]), failure };
  }
}

function rollback({ database }: EngineParts): void {
  try {
    if (database.inTransaction()) database.run('ROLLBACK');
  } catch {
    // The caller reports the original failure. A transaction that is still open fails the next begin, which rolls back
    // again.
  }
}

function answerWrite(parts: EngineParts, call: number, request: WriteRequest, failed: Failures): Reply {
  try {
    return [call, write(parts, request)];
  } catch (error) {
    if (error instanceof PartialWriteError) failed.set(call, errorText(error.cause));
    // A failure of the disk fails all; or the group must be repeated.
    if (isStorageFailure(error) || error instanceof PartialWriteError || !parts.database.inTransaction()) throw error;
    return [call, undefined, errorText(error)];
  }
}

function write(parts: EngineParts, request: WriteRequest): unknown {
  switch (request.op) {
    case 'probe':
      return parts.database.run(`PRAGMA user_version = ${String(LAYOUT_VERSION)}`);
    case 'bulkThen': {
      const { bulk, matches, then } = request;
      const result = tableOf(parts, bulk.at).write(bulk) as BulkResult;
      if (result.matched < matches) return result;
      const inserts = { op: 'insertEach', ...then } as const;
      const { inserted } = tableOf(parts, then.at).write(inserts) as BulkResult;
      return { ...result, followed: inserted } satisfies BulkResult;
    }
    default:
      return tableOf(parts, request.at).write(request);
  }
}

function answerRead(parts: EngineParts, call: number, request: ReadRequest): Reply {
  try {
    return [call, read(parts, request)];
  } catch (error) {
    const failed = isStorageFailure(error)
      ? new AppError('unavailable', 'the data file cannot be read', { cause: error })
      : error;
    return [call, undefined, errorText(failed)];
  }
}

function read(parts: EngineParts, request: ReadRequest): unknown {
  switch (request.op) {
    case 'hold':
      parts.database.automaticCheckpoints(false);
      parts.database.checkpoint();
      return undefined;
    case 'release':
      parts.database.automaticCheckpoints(true);
      return undefined;
    default:
      return tableOf(parts, request.at).read(request);
  }
}

function tableOf({ tables }: EngineParts, at: number): TableEngine {
  const table = tables[at];
  if (!table) throw misuse('a collection that the engine does not know');
  return table;
}

function prepare(database: Database, { file, definitions }: EngineOptions): void {
  const version = Number(database.all('PRAGMA user_version')[0]?.['user_version']);
  if (version !== LAYOUT_VERSION && version !== 0) {
    const other = version > LAYOUT_VERSION ? 'a newer' : 'an older';
    throw new AppError(
      'invalid_configuration',
      `${file} was written by ${other} version of this service: run that one, or set STORE_URL to another directory.`,
    );
  }
  database.run('BEGIN IMMEDIATE');
  for (const definition of definitions) prepareTable(database, describeTable(definition));
  database.run(`PRAGMA user_version = ${String(LAYOUT_VERSION)}`);
  database.run('COMMIT');
}
