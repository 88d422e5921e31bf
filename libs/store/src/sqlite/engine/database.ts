// Wraps the interface of `node:sqlite` (docs/adr/0018). Prepared statements are bounded. Every read is stepped to its
// end: an unfinished statement would keep its read transaction open and prevent checkpoints. The library frees a
// statement only when it is collected.
import { closeSync, openSync } from 'node:fs';
import { types } from 'node:util';
import { AppError, messageOf } from '@busbar/core';
import { DatabaseSync } from '@photostructure/sqlite';
import { LRUCache } from 'lru-cache';
import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';

import type { Filter } from '../../port';
import { matches } from '../../language/matches';

export type SqlValue = number | bigint | string | Uint8Array | null;
export type Row = Record<string, SqlValue>;

const MAX_STATEMENTS = 256;
const CACHE_KIB = 65_536;
// A page that changes often is written to the data file once per checkpoint. 16 MB instead of the default 4 gave a
// quarter to a half more inserts.
const CHECKPOINT_BYTES = 16 * 1024 * 1024;
// For a new file. Each page of a commit is two system calls, and log rows fill pages in sequence. Twice the default
// takes an eighth less processor time for a message; four times hardly less, and slows reads.
const PAGE_BYTES = 8_192;
// Errors of the disk or the file, not of the statement.
const STORAGE = /disk|I\/O|malformed|not a database|readonly|unable to open|out of memory/i;

export interface Database {
  /** Returns the number of changed rows. */
  run(sql: string, values?: readonly SqlValue[]): number;
  all(sql: string, values?: readonly SqlValue[]): Row[];
  /** Each row as its values, in the order of the statement: a third faster for many rows. */
  values(sql: string, values?: readonly SqlValue[]): SqlValue[][];
  inTransaction(): boolean;
  checkpoint(): void;
  /** While off, the data file does not change and writes gather in the write-ahead log. */
  automaticCheckpoints(on: boolean): void;
  close(): void;
}

/** Opens or creates the file. Throws AppError `unavailable` where it cannot be opened or is not a database. */
export function openDatabase(file: string, maxBytes?: number): Database {
  const sqlite = open(file);
  const statements = new LRUCache<string, StatementSyncInstance>({ max: MAX_STATEMENTS });
  let checkpointPages = '0';

  const prepared = (sql: string): StatementSyncInstance => {
    const known = statements.get(sql);
    if (known) return known;
    const statement = sqlite.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };

  const database: Database = {
    run: (sql, values = []) => prepared(sql).run(...values).changes,
    all: (sql, values = []) => prepared(sql).all(...values) as Row[],
    values(sql, values = []) {
      const statement = prepared(sql);
      statement.setReturnArrays(true);
      try {
        return statement.all(...values) as SqlValue[][];
      } finally {
        statement.setReturnArrays(false);
      }
    },
    inTransaction: () => sqlite.isTransaction,
    checkpoint() {
      const [result] = database.all('PRAGMA wal_checkpoint(TRUNCATE)');
      if (result?.['busy'] !== 0) throw new AppError('unavailable', 'the data file could not be checkpointed');
    },
    automaticCheckpoints: (on) => sqlite.exec(`PRAGMA wal_autocheckpoint = ${on ? checkpointPages : '0'}`),
    close() {
      statements.clear();
      close(sqlite);
    },
  };

  try {
    checkpointPages = configure(sqlite, maxBytes);
    return database;
  } catch (error) {
    close(sqlite);
    throw new AppError(
      'unavailable',
      `${file} cannot be used as a data file (${messageOf(error)}): restore a backup, or set STORE_URL to another directory.`,
      { cause: error },
    );
  }
}

/** True for a failure of the disk or the data file, after which the transaction is lost. */
export function isStorageFailure(error: unknown): boolean {
  // Errors of native code are no instances of a test's own `Error`.
  return types.isNativeError(error) && 'errcode' in error && STORAGE.test(error.message);
}

/** The file is for this user alone; SQLite gives its log the same mode. */
function open(file: string): DatabaseSyncInstance {
  try {
    closeSync(openSync(file, 'a', 0o600));
    return new DatabaseSync(file);
  } catch (error) {
    throw new AppError('unavailable', `${file} cannot be opened`, { cause: error });
  }
}

/** Returns the number of pages after which a checkpoint is due. */
function configure(sqlite: DatabaseSyncInstance, maxBytes: number | undefined): string {
  // Exclusive, before the first access: the directory is locked, and the mode needs no shared memory file, which some
  // volumes do not support.
  sqlite.exec('PRAGMA locking_mode = exclusive');
  sqlite.exec(`PRAGMA page_size = ${String(PAGE_BYTES)}`);
  const mode = firstValue(sqlite, 'PRAGMA journal_mode = wal');
  if (mode !== 'wal') throw new Error('it does not take a write-ahead log');
  // FULL: the log is synced at every commit, so acknowledged writes are on the disk.
  sqlite.exec('PRAGMA synchronous = full');
  sqlite.exec(`PRAGMA cache_size = -${String(CACHE_KIB)}`);
  // A file retains its first page size.
  const pageBytes = Number(firstValue(sqlite, 'PRAGMA page_size'));
  const checkpointPages = String(CHECKPOINT_BYTES / pageBytes);
  sqlite.exec(`PRAGMA wal_autocheckpoint = ${checkpointPages}`);
  sqlite.exec('PRAGMA journal_size_limit = 67108864');
  if (maxBytes !== undefined) sqlite.exec(`PRAGMA max_page_count = ${String(Math.ceil(maxBytes / pageBytes))}`);
  sqlite.function('busbar_matches', { deterministic: true }, (doc: unknown, filter: unknown) =>
    matches(JSON.parse(String(doc)), JSON.parse(String(filter)) as Filter) ? 1 : 0,
  );
  return checkpointPages;
}

/** Of the first row; undefined where there is none. */
export function firstValue(sqlite: DatabaseSyncInstance, sql: string): unknown {
  return Object.values((sqlite.prepare(sql).get() as Row | undefined) ?? {})[0];
}

/**
 * A connection and its file lock live until its last statement is collected: leaving WAL and exclusive mode releases
 * the lock at once. A failing disk holds it until the process ends.
 */
function close(sqlite: DatabaseSyncInstance): void {
  try {
    if (sqlite.isTransaction) sqlite.exec('ROLLBACK');
    sqlite.exec('PRAGMA journal_mode = delete; PRAGMA locking_mode = normal; SELECT 1 FROM sqlite_schema');
  } catch {
    // The next start applies the log.
  } finally {
    sqlite.close();
  }
}
