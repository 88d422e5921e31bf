// The data file and all its operations, synchronous, in a thread of its own. The store (../sqlite-store.ts) sends
// requests in turns. The writes of all turns that have arrived share one transaction and one sync.
import { AppError, messageOf } from '@busbar/core';
import { misuse } from '../../language/check';
import type { BulkResult } from '../../port';
import { errorText } from '../error-text';
import type { EngineOptions, ErrorText, ReadRequest, Replies, Reply, Turn, WriteRequest } from '../protocol';
import { isStorageFailure, openDatabase, type Database } from './database';
import { prepareTable } from './prepare-table';
import { createTableEngine, type TableEngine } from './table-engine';
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

/** A request that is all or nothing changed a part of it, and is undone. Its result is no failure. */
class UndoneError extends Error {
  public constructor(public readonly result: BulkResult) {
    super('a request is undone');
  }
}

interface Written {
  readonly replies: readonly Reply[];
  readonly failure?: ErrorText;
}

/**
 * Returns every write's response. Where a request fails by itself, it may have written a part: the group is repeated with a savepoint
 * for each request. Savepoints cost time for each page that a request changes, and such failures are rare.
 */
function writeAll(parts: EngineParts, writes: Turn['writes'], answer = answerWrite): Written {
  const { database } = parts;
  try {
    database.run('BEGIN IMMEDIATE');
    const replies = writes.map(([call, request]) => answer(parts, call, request));
    database.run('COMMIT');
    return { replies };
  } catch (cause) {
    const isOwn = isOwnFailure(parts, cause);
    rollback(parts);
    if (isOwn && answer === answerWrite) return writeAll(parts, writes, answerOrUndo);
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

function answerWrite(parts: EngineParts, call: number, request: WriteRequest): Reply {
  return [call, write(parts, request)];
}

function answerOrUndo(parts: EngineParts, call: number, request: WriteRequest): Reply {
  const { database } = parts;
  database.run('SAVEPOINT request');
  try {
    return [call, write(parts, request)];
  } catch (error) {
    if (!isOwnFailure(parts, error)) throw error;
    database.run('ROLLBACK TO request');
    return error instanceof UndoneError ? [call, error.result] : [call, undefined, errorText(error)];
  } finally {
    if (database.inTransaction()) database.run('RELEASE request');
  }
}

/** Of the request, not of the disk, which fails all. */
function isOwnFailure({ database }: EngineParts, error: unknown): boolean {
  return database.inTransaction() && !isStorageFailure(error);
}

function write(parts: EngineParts, request: WriteRequest): unknown {
  switch (request.op) {
    case 'probe':
      return parts.database.run(`PRAGMA user_version = ${String(LAYOUT_VERSION)}`);
    case 'bulkThen': {
      const { bulk, matches, then } = request;
      const { matched, inserted } = tableOf(parts, bulk.at).write(bulk) as BulkResult;
      const nothing = { matched, inserted: 0 };
      if (matched < matches) throw new UndoneError(nothing);
      const followed = tableOf(parts, then.at).write({ op: 'insertEach', ...then }) as BulkResult;
      if (followed.inserted < then.count) throw new UndoneError(nothing);
      return { matched, inserted, followed: followed.inserted } satisfies BulkResult;
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
