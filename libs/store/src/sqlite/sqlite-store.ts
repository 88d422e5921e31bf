import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { AppError, systemClock } from '@busbar/core';
import type { Clock, Logger } from '@busbar/core';

import type { Collection, CollectionDefinition, Document, Store } from '../port';
import { checkIndexes, misuse } from '../language/check';
import { copyDatabase } from './backup';
import { isStorageFailure, openDatabase } from './database';
import type { Database } from './database';
import { lockDirectory } from './directory-lock';
import type { DirectoryLock } from './directory-lock';
import { createFileLink } from './file-link';
import { createSqliteCollection } from './sqlite-collection';
import type { Engine } from './sqlite-collection';
import { prepareTable } from './table';
import type { Table } from './table';
import { createWriteQueue } from './write-queue';

export const DATA_FILE = 'busbar.db';

const LAYOUT_VERSION = 1;
const CACHE = { documents: 20_000, characters: 32 * 1024 * 1024 };
const MAX_WAITING = 20_000;

export interface SqliteStoreOptions {
  /** Made when it is missing; one process at a time has it. */
  readonly directory: string;
  readonly logger: Logger;
  /** The data file grows no larger; writes that would need more are refused with `unavailable`. Unbounded by default. */
  readonly maxBytes?: number;
  readonly clock?: Clock;
}

export interface SqliteStore extends Store {
  readonly kind: 'sqlite';
  /**
   * Writes a consistent copy to `file` while the store goes on; a file of that name is replaced. Rejects with AppError
   * `unavailable` where it cannot be written.
   */
  backup(file: string): Promise<void>;
}

/** What the store does with a collection without knowing the type of its documents. */
interface Kept {
  readonly definition: object;
  readonly collection: object;
  readonly table: Table;
  undo(): void;
  keep(): void;
}

interface Opened {
  readonly database: Database;
  readonly lock: DirectoryLock;
}

/**
 * A store in one SQLite file. A write resolves when it is synced to the disk; writes of one turn of the event loop share
 * that. `start` rejects with AppError `invalid_configuration` while another process has the directory.
 */
export function createSqliteStore(options: SqliteStoreOptions): SqliteStore {
  const file = join(options.directory, DATA_FILE);
  const collections = new Map<string, Kept>();
  const link = createFileLink(options.clock ?? systemClock, options.logger, () => void probe());
  let opened: Opened | undefined;
  let starting: Promise<void> | undefined;
  let stopping: Promise<void> | undefined;
  let backup: Promise<void> = Promise.resolve();

  const database = (): Database => {
    if (!opened) throw new AppError('unavailable', 'the store is not open');
    return opened.database;
  };
  const settle = (what: 'undo' | 'keep'): void => {
    for (const kept of collections.values()) kept[what]();
  };
  const queue = createWriteQueue({
    transaction: transactionOn(database, settle),
    maxWaiting: MAX_WAITING,
    onOutcome: link.told,
  });
  const write = async <T>(weight: number, work: () => T): Promise<T> => {
    if (!opened || stopping) throw new AppError('unavailable', 'the store is not open');
    return queue.add(weight, work);
  };
  const probe = (): Promise<unknown> =>
    write(1, () => database().run(`PRAGMA user_version = ${String(LAYOUT_VERSION)}`)).catch(() => undefined);
  const close = async ({ database: closing, lock }: Opened): Promise<void> => {
    link.close();
    await Promise.all([queue.quiet(), backup.catch(() => undefined)]);
    opened = undefined;
    settle('undo');
    closeStore(closing, lock, options.logger);
  };
  const engine: Engine = { database, write, cache: CACHE };

  return {
    name: 'store',
    kind: 'sqlite',
    ordersWrites: true,

    collection<T extends Document>(definition: CollectionDefinition<T>): Collection<T> {
      const known = collections.get(definition.name);
      if (known?.definition === definition) return known.collection as Collection<T>;
      if (known) throw misuse(`two definitions of the collection ${definition.name}`);
      if (opened) throw misuse(`the collection ${definition.name} was declared after the start`);
      checkIndexes(definition.indexes);
      const made = createSqliteCollection(definition, engine);
      collections.set(definition.name, { definition, collection: made, ...made });
      return made;
    },

    async start() {
      if (opened) return;
      starting ??= openStore(options, file, [...collections.values()])
        .then((result) => {
          opened = result;
          link.open();
        })
        .finally(() => (starting = undefined));
      await starting;
    },

    async stop() {
      await starting?.catch(() => undefined);
      if (!opened) return;
      stopping ??= close(opened).finally(() => (stopping = undefined));
      await stopping;
    },

    ready: () => link.isUp(),
    onConnection: link.listen,

    async backup(target) {
      await backup.catch(() => undefined);
      if (stopping) throw new AppError('unavailable', 'the store is not open');
      backup = copyDatabase(database(), file, target);
      await backup;
    },
  };
}

async function openStore(options: SqliteStoreOptions, file: string, collections: readonly Kept[]): Promise<Opened> {
  await mkdir(options.directory, { recursive: true, mode: 0o700 }).catch((cause: unknown) => {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new AppError(
      'invalid_configuration',
      `The data directory ${options.directory} cannot be made (${why}): correct STORE_URL.`,
      { cause },
    );
  });
  const lock = await lockDirectory(options.directory);
  let database: Database | undefined;
  try {
    // The library's own lock, a folder, survives a killed process. Nobody else can be using it: the directory is ours.
    await rm(`${file}.lock`, { recursive: true, force: true });
    database = openDatabase(file, options.maxBytes);
    prepare(database, file, collections);
    options.logger.info({ file }, 'data file open');
    return { database, lock };
  } catch (error) {
    database?.close();
    lock.release();
    throw error;
  }
}

function prepare(database: Database, file: string, collections: readonly Kept[]): void {
  const version = Number(database.all('PRAGMA user_version')[0]?.['user_version']);
  if (version > LAYOUT_VERSION) {
    throw new AppError(
      'invalid_configuration',
      `${file} was written by a newer version of this service: run that one, or set STORE_URL to another directory.`,
    );
  }
  database.run('BEGIN IMMEDIATE');
  for (const { table } of collections) prepareTable(database, table);
  database.run(`PRAGMA user_version = ${String(LAYOUT_VERSION)}`);
  database.run('COMMIT');
}

function closeStore(database: Database, lock: DirectoryLock, logger: Logger): void {
  try {
    database.checkpoint();
  } catch (err) {
    logger.warn({ err }, 'the data file was closed with its write-ahead log; the next start takes that in');
  } finally {
    database.close();
    lock.release();
  }
}

function transactionOn(database: () => Database, settle: (what: 'undo' | 'keep') => void) {
  return {
    begin: () => void database().run('BEGIN IMMEDIATE'),
    commit() {
      database().run('COMMIT');
      settle('keep');
    },
    rollback() {
      settle('undo');
      try {
        if (database().inTransaction()) database().run('ROLLBACK');
      } catch {
        // The caller reports the failure that led here. A transaction that is still open fails the next begin, which
        // comes here again.
      }
    },
    failsAll: (error: unknown) => isStorageFailure(error) || !database().inTransaction(),
  };
}
