import { join } from 'node:path';

import { AppError, messageOf, systemClock } from '@busbar/core';
import type { Clock, Logger } from '@busbar/core';

import { makeDataDirectory } from '../data-directory';
import { checkIndexes, misuse } from '../language/check';
import type { Collection, CollectionDefinition, Document, Store } from '../port';
import { PREPARE_WITHIN_MS } from '../start-limit';
import { copyDatabase, type BackupOptions } from './backup';
import { createCalls } from './calls';
import { lockDirectory } from './directory-lock';
import type { DirectoryLock } from './directory-lock';
import { openEngineHere, openEngineThread } from './engine-link';
import type { EngineLink, EngineListener } from './engine-link';
import { errorOf } from './error-text';
import { createFileLink } from './file-link';
import { createSqliteCollection, type Locate, type SqliteCollection } from './sqlite-collection';
import type { EngineOptions } from './protocol';
import { FROM_SOURCE } from './start-thread';

export const DATA_FILE = 'busbar.db';

const REPORT_INTERVAL_MS = 10_000;
/** Operations in flight: twice the number that sixteen partitions with full batches send at once. */
const MAX_WAITING = 40_000;

export interface SqliteStoreOptions {
  /** Created when it is missing; one process at a time has it. */
  readonly directory: string;
  readonly logger: Logger;
  /** The maximum size of the data file; writes beyond it are rejected with `unavailable`. Default: unbounded. */
  readonly maxBytes?: number;
  readonly clock?: Clock;
  /** SQLite in its own thread. Default: when built, and not from source, as tests run. */
  readonly ownThread?: boolean;
  /** The thread ended by itself. Default: an uncaught error, which stops the process in order with code 1. */
  readonly onLost?: (error: unknown) => void;
}

export interface SqliteStore extends Store {
  readonly kind: 'sqlite';
  /**
   * Writes a consistent copy to `file` while the store is in use, with a checksum file. Rejects with AppError
   * `invalid_request` where the file exists, and `unavailable` where it cannot be written or the data file is damaged.
   */
  backup(file: string, options?: BackupOptions): Promise<void>;
}

/** The store's use of a collection, without the type of its documents. */
interface Kept extends Pick<SqliteCollection<Document>, 'clear' | 'receives'> {
  readonly definition: CollectionDefinition<Document>;
  readonly collection: object;
}

interface Opened {
  readonly engine: EngineLink;
  readonly lock: DirectoryLock;
}

/**
 * A store in one SQLite file. A write resolves when it is synced to the disk; writes of one turn share the sync.
 * `start` rejects with AppError `invalid_configuration` while another process has the directory.
 */
export function createSqliteStore(options: SqliteStoreOptions): SqliteStore {
  const file = join(options.directory, DATA_FILE);
  const collections = new Map<string, Kept>();
  const calls = createCalls({ maxWaiting: MAX_WAITING });
  const link = createFileLink(options.clock ?? systemClock, options.logger, () => void probe());
  let opened: Opened | undefined;
  let starting: Promise<void> | undefined;
  let stopping: Promise<void> | undefined;
  let backup: Promise<void> = Promise.resolve();

  const locate: Locate = (definition) => {
    const known = collections.get(definition.name);
    if (known === undefined) throw misuse(`the collection ${definition.name} is not declared`);
    return known;
  };
  const onLost =
    options.onLost ??
    ((error: unknown): void => {
      throw new AppError('unavailable', 'the thread of the data file ended: the service must be restarted', {
        cause: error,
      });
    });
  const probe = (): Promise<unknown> => calls.write(1, { op: 'probe' }).catch(() => undefined);
  const listener: EngineListener = {
    replied(replies) {
      if (replies.wrote) link.done(replies.failure && errorOf(replies.failure));
      calls.replied(replies);
    },
    lost(error) {
      link.close();
      calls.lost(new AppError('unavailable', 'the thread of the data file ended', { cause: error }));
      for (const kept of collections.values()) kept.clear();
      // The store cannot continue, and callers do not notice: the supervisor of the process must restart it.
      onLost(error);
    },
  };
  const close = async ({ engine, lock }: Opened): Promise<void> => {
    // A backup must still be able to release the file.
    await backup.catch(() => undefined);
    calls.seal();
    await calls.quiet();
    link.close();
    opened = undefined;
    calls.lost(new AppError('unavailable', 'the store is not open'));
    const warning = await engine.close();
    if (warning !== undefined) {
      options.logger.warn({ warning }, 'the data file was closed with its write-ahead log; the next start applies it');
    }
    lock.release();
    for (const kept of collections.values()) kept.clear();
  };

  return {
    name: 'store',
    startWithinMs: PREPARE_WITHIN_MS,
    kind: 'sqlite',
    ordersWrites: true,

    collection<T extends Document>(definition: CollectionDefinition<T>): Collection<T> {
      const known = collections.get(definition.name);
      if (known?.definition === definition) return known.collection as Collection<T>;
      if (known) throw misuse(`two definitions of the collection ${definition.name}`);
      if (opened) throw misuse(`the collection ${definition.name} was declared after the start`);
      checkIndexes(definition.indexes);
      const made = createSqliteCollection(definition, collections.size, calls, locate);
      collections.set(definition.name, { definition, ...made });
      return made.collection;
    },

    async start() {
      if (opened) return;
      const definitions = [...collections.values()].map(({ definition }) => definition);
      starting ??= warnedWhileSlow(openStore(options, { file, definitions }, listener), options, file)
        .then((result) => {
          opened = result;
          calls.open(result.engine.send);
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

    backup(target, options) {
      // One after the other: each blocks the data file while it copies.
      const next = backup
        .catch(() => undefined)
        .then(() => {
          if (!opened || stopping) throw new AppError('unavailable', 'the store is not open');
          return copyDatabase(calls, file, target, options);
        });
      backup = next;
      return next;
    },
  };
}

/** New columns and indexes are filled from the stored documents, which may take long and is logged. */
function warnedWhileSlow<T>(
  opening: Promise<T>,
  { clock = systemClock, logger }: SqliteStoreOptions,
  file: string,
): Promise<T> {
  const timer = clock.every(REPORT_INTERVAL_MS, () =>
    logger.info({ file }, 'the data file is still being migrated to this version'),
  );
  return opening.finally(() => timer.cancel());
}

async function openStore(
  options: SqliteStoreOptions,
  { file, definitions }: EngineOptions,
  listener: EngineListener,
): Promise<Opened> {
  await makeDataDirectory(options.directory).catch((cause: unknown) => {
    throw new AppError(
      'invalid_configuration',
      `The data directory ${options.directory} cannot be created (${messageOf(cause)}): correct STORE_URL.`,
      { cause },
    );
  });
  const lock = lockDirectory(options.directory);
  try {
    const { maxBytes, ownThread = !FROM_SOURCE } = options;
    const bound = maxBytes === undefined ? {} : { maxBytes };
    const engine = await (ownThread ? openEngineThread : openEngineHere)({ file, definitions, ...bound }, listener);
    options.logger.info({ file }, 'data file open');
    return { engine, lock };
  } catch (error) {
    lock.release();
    throw error;
  }
}
