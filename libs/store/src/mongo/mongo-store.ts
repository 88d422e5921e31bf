import { createConnection } from 'mongoose';
import type { Connection, ConnectOptions, Model, mongo } from 'mongoose';

import { AppError } from '@busbar/core';
import type { Logger } from '@busbar/core';

import type { Collection, CollectionDefinition, Document, Store } from '../port';
import { checkIndexes, misuse } from '../language/check';
import { isAddressError, isCredentialsError, storeError } from './errors';
import type { StoredDocument } from './filter-query';
import { createLink } from './link';
import { createModel, makeIndexes } from './model';
import { createMongoCollection } from './mongo-collection';
import type { Guard } from './mongo-collection';

const DATABASE = 'busbar';
const MAX_CALLS = 10_000;

// Retryable writes stay on, as the driver has them by default: with a replica set they carry a number that keeps the
// server from applying a repeated write twice, and to a server without sessions (a single one, the stand-in) the driver
// does not send them.
const OPTIONS: ConnectOptions = {
  bufferCommands: false,
  autoIndex: false,
  autoCreate: false,
  ignoreUndefined: true,
  serverSelectionTimeoutMS: 2_000,
  connectTimeoutMS: 2_000,
  socketTimeoutMS: 10_000,
  waitQueueTimeoutMS: 5_000,
  // How soon a server that is silent or back again is noticed: nothing asks for it while it is away.
  heartbeatFrequencyMS: 1_000,
  maxPoolSize: 50,
  writeConcern: { w: 'majority', journal: true, wtimeoutMS: 10_000 },
};

export interface MongoStoreOptions {
  /** `mongodb://` or `mongodb+srv://`; without a database in it, `busbar`. */
  readonly url: string;
  readonly logger: Logger;
}

interface Declared {
  readonly definition: CollectionDefinition<Document>;
  readonly collection: object;
  model: Model<StoredDocument> | undefined;
}

/**
 * A store in MongoDB. A write resolves when a majority of the replica set has it in its journal. `start` rejects with
 * AppError `unavailable` where no server answers within two seconds.
 */
export function createMongoStore(options: MongoStoreOptions): Store {
  const declared = new Map<string, Declared>();
  const link = createLink();
  const log = options.logger;
  let connection: Connection | undefined;
  let starting: Promise<void> | undefined;
  let calls = 0;

  const guard: Guard = async (call) => {
    if (!link.isUp()) throw new AppError('unavailable', 'the store is away');
    if (calls >= MAX_CALLS) throw new AppError('unavailable', 'the store has too many calls waiting');
    calls += 1;
    try {
      return await call();
    } catch (error) {
      throw storeError(error);
    } finally {
      calls -= 1;
    }
  };
  const modelOf = (entry: Declared): Model<StoredDocument> => {
    if (!entry.model) throw new AppError('unavailable', 'the store is not open');
    return entry.model;
  };
  link.listen((up) => {
    if (up) log.info({}, 'MongoDB answers');
    else if (connection) log.warn({}, 'MongoDB does not answer');
  });

  const open = async (): Promise<void> => {
    const opening = createConnection();
    try {
      const connecting = opening.openUri(options.url, connectOptions(options.url));
      // The client is there at once, unless the address is none: its first events are not to be missed.
      const client = opening.getClient() as mongo.MongoClient | undefined;
      if (client) link.attach(client);
      await connecting;
      for (const entry of declared.values()) {
        entry.model = createModel(opening, entry.definition);
        await makeIndexes(entry.model);
      }
      connection = opening;
    } catch (error) {
      link.detach();
      await opening.destroy(true).catch(() => undefined);
      throw startFailure(options.url, error);
    }
  };
  const close = async (closing: Connection): Promise<void> => {
    connection = undefined;
    link.detach();
    await closing.close();
    for (const entry of declared.values()) entry.model = undefined;
  };

  return {
    name: 'store',
    kind: 'mongo',
    ordersWrites: false,

    collection<T extends Document>(definition: CollectionDefinition<T>): Collection<T> {
      const known = declared.get(definition.name);
      if (known?.definition === definition) return known.collection as Collection<T>;
      if (known) throw misuse(`two definitions of the collection ${definition.name}`);
      if (connection) throw misuse(`the collection ${definition.name} was declared after the start`);
      checkIndexes(definition.indexes);
      const collection = createMongoCollection<T>(definition, () => modelOf(entry), guard);
      const entry: Declared = { definition, collection, model: undefined };
      declared.set(definition.name, entry);
      return collection;
    },

    async start() {
      if (connection) return;
      starting ??= open().finally(() => (starting = undefined));
      await starting;
    },

    async stop() {
      await starting?.catch(() => undefined);
      if (connection) await close(connection);
    },

    ready: () => connection !== undefined && link.isUp(),
    onConnection: link.listen,
  };
}

function connectOptions(url: string): ConnectOptions {
  const hasDatabase = /^mongodb(?:\+srv)?:\/\/[^/]+\/[^?]/.test(url);
  // A copy: mongoose takes out of it what is its own.
  return hasDatabase ? { ...OPTIONS } : { ...OPTIONS, dbName: DATABASE };
}

function startFailure(url: string, cause: unknown): AppError {
  if (cause instanceof AppError) return cause;
  if (isAddressError(cause)) {
    // Without the cause, which may quote the credentials.
    const example = 'mongodb://host:27017/busbar';
    return new AppError('invalid_configuration', `STORE_URL is no address of MongoDB: write for example ${example}.`);
  }
  const shown = withoutCredentials(url);
  if (isCredentialsError(cause)) {
    return new AppError('unavailable', `MongoDB at ${shown} refuses the credentials in STORE_URL: correct them.`, {
      cause,
    });
  }
  return new AppError('unavailable', `MongoDB at ${shown} does not answer: start it, or correct STORE_URL.`, { cause });
}

function withoutCredentials(url: string): string {
  // Up to the last @ before the path: a password may hold one.
  return url.replace(/^(mongodb(?:\+srv)?:\/\/)[^/?]*@/, '$1').replace(/\?.*$/, '');
}
