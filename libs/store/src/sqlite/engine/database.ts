// node-sqlite3-wasm behind what the adapter needs of it: bounded prepared statements, and every read stepped to its end
// (a statement left in the middle would hold its read transaction open and keep the log from being checkpointed).
import { AppError } from '@busbar/core';
import { Database as Wasm, SQLite3Error } from 'node-sqlite3-wasm';
import type { Statement } from 'node-sqlite3-wasm';

import type { Filter } from '../../port';
import { matches } from '../../language/matches';

export type SqlValue = number | bigint | string | Uint8Array | null;
export type Row = Record<string, SqlValue>;

const MAX_STATEMENTS = 256;
const CACHE_KIB = 65_536;
// A page of an index that was touched again and again is written to the data file once per checkpoint. 16 MB instead of the
// default 4 gave a quarter to a half more inserts.
const CHECKPOINT_BYTES = 16 * 1024 * 1024;
// Of a new file. Each page of a commit is two calls of the system, and log rows fill pages one after the other: twice the
// default takes an eighth less processor time for a message. Four times takes hardly less, and costs those who read.
const PAGE_BYTES = 8_192;
// Messages of results that mean the disk or the file, not the statement.
const STORAGE = /disk|I\/O|malformed|not a database|readonly|unable to open|out of memory/i;

export interface Database {
  /** Rows that the statement changed. */
  run(sql: string, values?: readonly SqlValue[]): number;
  all(sql: string, values?: readonly SqlValue[]): Row[];
  inTransaction(): boolean;
  checkpoint(): void;
  /** While off, the data file itself stands still and what is written gathers in the write-ahead log. */
  automaticCheckpoints(on: boolean): void;
  close(): void;
}

/** Opens or makes the file. Throws AppError `unavailable` where it cannot be, or is not a database. */
export function openDatabase(file: string, maxBytes?: number): Database {
  const wasm = open(file);
  const statements = new Map<string, Statement>();
  let checkpointPages = '0';

  const prepared = (sql: string): Statement => {
    const known = statements.get(sql);
    if (known) {
      // Moved to the end: the first is the one that was not used for longest.
      statements.delete(sql);
      statements.set(sql, known);
      return known;
    }
    const statement = wasm.prepare(sql);
    statements.set(sql, statement);
    for (const [oldest, old] of statements) {
      if (statements.size <= MAX_STATEMENTS) break;
      finalize(old);
      statements.delete(oldest);
    }
    return statement;
  };

  const use = <R>(sql: string, run: (statement: Statement) => R): R => {
    const statement = prepared(sql);
    try {
      return run(statement);
    } catch (error) {
      // After a failure the library cannot use a statement again: its reset reports the old error as a new one.
      statements.delete(sql);
      finalize(statement);
      throw error;
    }
  };

  const database: Database = {
    run: (sql, values) => use(sql, (statement) => statement.run(values as SqlValue[] | undefined).changes),
    all: (sql, values) => use(sql, (statement) => statement.all(values as SqlValue[] | undefined) as Row[]),
    inTransaction: () => wasm.inTransaction,
    checkpoint() {
      const [result] = database.all('PRAGMA wal_checkpoint(TRUNCATE)');
      if (result?.['busy'] !== 0) throw new AppError('unavailable', 'the data file could not be brought up to date');
    },
    automaticCheckpoints: (on) => void wasm.all(`PRAGMA wal_autocheckpoint = ${on ? checkpointPages : '0'}`),
    close() {
      for (const statement of statements.values()) finalize(statement);
      statements.clear();
      wasm.close();
    },
  };

  try {
    checkpointPages = configure(wasm, maxBytes);
    return database;
  } catch (error) {
    wasm.close();
    throw new AppError(
      'unavailable',
      `${file} cannot be used as a data file (${messageOf(error)}): restore a backup, or set STORE_URL to another directory.`,
      { cause: error },
    );
  }
}

/** True for a failure of the disk or the data file, after which nothing of the transaction can be relied on. */
export function isStorageFailure(error: unknown): boolean {
  return error instanceof SQLite3Error && STORAGE.test(error.message);
}

function open(file: string): Wasm {
  try {
    return new Wasm(file);
  } catch (error) {
    throw new AppError('unavailable', `${file} cannot be opened`, { cause: error });
  }
}

/** Gives the pages after which a checkpoint is due. */
function configure(wasm: Wasm, maxBytes: number | undefined): string {
  // Exclusive, before the first access: the library has no shared memory, which a shared write-ahead log needs.
  wasm.exec('PRAGMA locking_mode = exclusive');
  wasm.exec(`PRAGMA page_size = ${String(PAGE_BYTES)}`);
  const mode = wasm.get('PRAGMA journal_mode = wal');
  if (mode?.['journal_mode'] !== 'wal') throw new Error('it does not take a write-ahead log');
  // FULL: the log is synced at every commit, so what a caller was told is on the disk.
  wasm.exec('PRAGMA synchronous = full');
  wasm.exec(`PRAGMA cache_size = -${String(CACHE_KIB)}`);
  // A file keeps the pages that it was made with.
  const pageBytes = Number(wasm.get('PRAGMA page_size')?.['page_size']);
  const checkpointPages = String(CHECKPOINT_BYTES / pageBytes);
  wasm.all(`PRAGMA wal_autocheckpoint = ${checkpointPages}`);
  wasm.exec('PRAGMA journal_size_limit = 67108864');
  if (maxBytes !== undefined) wasm.get(`PRAGMA max_page_count = ${String(Math.ceil(maxBytes / pageBytes))}`);
  wasm.function(
    'busbar_matches',
    (doc, filter) => matches(JSON.parse(String(doc)), JSON.parse(String(filter)) as Filter),
    { deterministic: true },
  );
  return checkpointPages;
}

/** Frees the statement, also where the library reports its last failure once more. */
function finalize(statement: Statement): void {
  try {
    statement.finalize();
  } catch {
    // It is freed, and the failure was reported when it happened.
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
