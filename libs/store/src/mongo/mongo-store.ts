import type { Connection, Model, mongo } from 'mongoose';

import { AppError, delay, systemClock } from '@busbar/core';
import type { Clock, Logger } from '@busbar/core';

import type { Collection, CollectionDefinition, Document, Store } from '../port';
import { checkIndexes, misuse } from '../language/check';
import { PREPARE_WITHIN_MS } from '../start-limit';
import { checkUrl } from './check-url';
import { connect, startFailure } from './connect';
import { DIAL_MS, dialAtStart } from './dial-at-start';
import type { StoredDocument } from './filter-query';
import { createGuard } from './guard';
import { createLink } from './link';
import { makeIndexes, type MakeIndexesDeps } from './make-indexes';
import { createModel } from './model';
import { createMongoCollection } from './mongo-collection';
import { createMonitorWatch } from './monitor-watch';
import { createOutageLog } from './outage-log';

const REDIAL_MS = 1_000;

export interface MongoStoreOptions {
  /** `mongodb://` or `mongodb+srv://`; the default database is `busbar`. */
  readonly url: string;
  /** PEM authorities for MongoDB's certificate, which also turn TLS on. Read for each connection. */
  readonly caFile?: string | undefined;
  readonly logger: Logger;
  readonly clock?: Clock;
}

interface Declared {
  readonly definition: CollectionDefinition<Document>;
  readonly collection: object;
  model: Model<StoredDocument> | undefined;
}

/**
 * A store in MongoDB. A write resolves when a majority of the replica set has it in its journal. `start` rejects with
 * AppError `unavailable` where there is no server for two seconds, or one that does not answer for twenty more. Throws
 * `invalid_configuration` for options of the URL that would break the store's guarantees.
 */
export function createMongoStore(options: MongoStoreOptions): Store {
  checkUrl(options);
  const declared = new Map<string, Declared>();
  const link = createLink();
  const { logger: log, clock = systemClock } = options;
  let connection: Connection | undefined;
  let starting: Promise<void> | undefined;
  let leaving = new AbortController();
  let replacing: Promise<void> | undefined;

  const isUp = createOutageLog({ link, logger: log, clock, isOpen: () => connection !== undefined });
  const guard = createGuard({ isUp }, clock);
  const watch = createMonitorWatch(clock, () => {
    if (!connection || replacing) return;
    log.error({}, 'the driver of MongoDB no longer checks its server; reconnecting');
    replacing = replace(connection).finally(() => (replacing = undefined));
  });

  /** Connects, binds every collection to the new connection, and only then reports the link as up. */
  const dial = async (withinMs = DIAL_MS): Promise<Connection> => {
    const attach = (client: mongo.MongoClient): void => {
      link.attach(client);
      watch.attach(client);
    };
    try {
      const dialled = await connect(options, { attach, withinMs });
      for (const entry of declared.values()) entry.model = createModel(dialled, entry.definition);
      link.admit();
      return dialled;
    } catch (error) {
      letGo();
      throw error;
    }
  };
  const letGo = (): void => {
    watch.detach();
    link.detach();
  };
  const open = async ({ signal }: AbortController): Promise<void> => {
    let opened: Connection | undefined;
    try {
      opened = await dialAtStart({ dial, log, signal });
      await prepare(opened, declared.values(), { clock, log, signal });
      connection = opened;
    } catch (error) {
      letGo();
      await opened?.destroy(true).catch(() => undefined);
      throw startFailure(options.url, error);
    }
  };
  /** Until it succeeds, or the store is stopped. */
  const replace = async (stuck: Connection): Promise<void> => {
    letGo();
    while (connection === stuck) {
      const opened = await dial().catch(() => undefined);
      if (opened === undefined) await delay(clock, REDIAL_MS);
      else if (isOpen(stuck)) connection = opened;
      else await opened.close().catch(() => undefined);
    }
    await stuck.destroy(true).catch(() => undefined);
  };
  const isOpen = (one: Connection): boolean => connection === one;
  const close = async (closing: Connection): Promise<void> => {
    connection = undefined;
    await replacing;
    letGo();
    await closing.close();
    for (const entry of declared.values()) entry.model = undefined;
  };

  const store: Store = {
    name: 'store',
    startWithinMs: PREPARE_WITHIN_MS,
    kind: 'mongo',
    ordersWrites: false,

    collection<T extends Document>(definition: CollectionDefinition<T>): Collection<T> {
      const known = declared.get(definition.name);
      if (known?.definition === definition) return known.collection as Collection<T>;
      if (known) throw misuse(`two definitions of the collection ${definition.name}`);
      if (connection) throw misuse(`the collection ${definition.name} was declared after the start`);
      checkIndexes(definition.indexes);
      const collection = createMongoCollection<T>(() => modelOf(entry), guard, store.collection);
      const entry: Declared = { definition, collection, model: undefined };
      declared.set(definition.name, entry);
      return collection;
    },

    async start() {
      if (connection) return;
      if (starting === undefined) {
        leaving = new AbortController();
        starting = open(leaving).finally(() => (starting = undefined));
      }
      await starting;
    },

    async stop() {
      leaving.abort();
      await starting?.catch(() => undefined);
      if (connection) await close(connection);
    },

    ready: () => connection !== undefined && link.isUp(),
    onConnection: link.listen,
  };
  return store;
}

/**
 * Creates the indexes of all collections. When stopped, it rejects with `unavailable` without waiting for the server.
 */
async function prepare(
  opened: Connection,
  declared: Iterable<Declared>,
  { clock, log, signal }: Omit<MakeIndexesDeps, 'onSlow'> & { readonly log: Logger },
): Promise<void> {
  const onSlow = (collection: string, index: string): void =>
    log.info({ collection, index }, 'an index is still being created on the stored documents');
  const leave = (): void => void opened.destroy(true).catch(() => undefined);
  signal.addEventListener('abort', leave);
  try {
    for (const { model } of declared) if (model) await makeIndexes(model, { clock, signal, onSlow });
    if (signal.aborted) throw new AppError('unavailable', 'the store is stopped');
  } finally {
    signal.removeEventListener('abort', leave);
  }
}

function modelOf({ model }: Declared): Model<StoredDocument> {
  if (!model) throw new AppError('unavailable', 'the store is not open');
  return model;
}
