// Makes the broker and the store of a process from their URLs. The only importer of adapters.
import { isAbsolute, resolve } from 'node:path';
import { createAmqpBroker, createMemoryBroker, type Broker } from '@busbar/broker';
import { AppError, type Clock, type Logger, type Service } from '@busbar/core';
import type { AnnounceAppended } from '@busbar/domain/feed';
import {
  createMongoStore,
  createRecords,
  type StoredRecords,
  createSqliteStore,
  raiseCounters,
  type BackupOptions,
  type Store,
} from '@busbar/store';
import { brokerTlsFrom, storeCaFileFrom, type ClientTlsFiles } from '../tls/client-tls';
import { createRestoreGuard } from './broken-off-restore';
import { createLifecycle } from '../lifecycle/lifecycle';
import type { Metrics } from '../metrics/metrics';
import { traceBroker } from '../tracing/trace-broker';
import { traceStore } from '../tracing/trace-store';
import type { Tracing } from '../tracing/tracing';
import { measureConfirms } from '../metrics/measured-broker';
import { measureCalls } from '../metrics/measured-store';
import { createHeartbeat } from '../processes/process-heartbeat';
import type { ProgramVersion } from '../processes/process-record';
import { measureAvailability, measureSchema } from './platform-metrics';
import { createStoreSetup, readPartitions, setPartitions } from '../migrations/store-setup';
import { createAnnouncer } from './announce-appended';

export interface AdapterDeps {
  readonly logger: Logger;
  readonly clock: Clock;
  /** Gets the availability of the broker and the store. */
  readonly metrics?: Metrics;
  /** Absent: nothing is traced. */
  readonly tracing?: Tracing | undefined;
  /** For servers whose certificate no public authority signed. */
  readonly tlsFiles?: ClientTlsFiles;
}

export interface PlatformOptions extends AdapterDeps {
  readonly brokerUrl: string;
  readonly storeUrl: string;
  /** For processes that hash chargers onto queues: checked against the value of the first start. */
  readonly partitions?: number;
  /** Shown to the other processes on the same store. Absent in tools that end at once. */
  readonly program?: StoreProgram;
}

export interface StoreProgram {
  readonly service: string;
  readonly version: ProgramVersion;
}

export interface StorePlatform extends Service {
  readonly store: Store;
  readonly records: StoredRecords;
  /** The data directory of a store in a file. */
  readonly directory: string | undefined;
  /** Only of a store in a file: makes a consistent copy while the store is used. */
  readonly backup: ((file: string, options?: BackupOptions) => Promise<void>) | undefined;
  setPartitions(partitions: number): Promise<void>;
  /** After a restore: `raiseCounters` of the store. */
  raiseCounters(): Promise<number>;
}

export interface Platform extends StorePlatform {
  readonly broker: Broker;
}

/** Broker and store by their URLs. Collections must be declared (services created) before `start`. */
export function createPlatform(options: PlatformOptions): Platform {
  const { clock, partitions } = options;
  const broker = createBroker(options.brokerUrl, options);
  const stored = createStorePlatform(options.storeUrl, {
    ...options,
    announce: (chargers) => {
      void announce(chargers);
    },
  });
  /** A process that has no setting for it reads the number of partitions each time: an operator may change it. */
  async function announce(chargers: Parameters<AnnounceAppended>[0]): Promise<void> {
    // A failed read loses a hint. charger-state finds what waits.
    const count = partitions ?? (await readPartitions(stored.store).catch(() => undefined));
    if (count !== undefined) createAnnouncer({ broker, clock, partitions: count })(chargers);
  }
  const life = createLifecycle({ name: 'platform', services: [stored, broker], logger: options.logger });
  return { ...stored, ...life, broker };
}

/** A broker alone, for a process without a store: `memory:`, `amqp://` or `amqps://`. */
export function createBroker(url: string, deps: AdapterDeps): Broker {
  const { metrics, logger, clock, tracing: context, tlsFiles = {} } = deps;
  const readTls = brokerTlsFrom(url, tlsFiles);
  const adapter = url.startsWith('memory:')
    ? createMemoryBroker({ logger, clock, context })
    : createAmqpBroker({ logger, clock, url, context, ...(readTls ? { readTls } : {}) });
  const broker = context === undefined ? adapter : traceBroker(adapter, context);
  if (metrics === undefined) return broker;
  measureAvailability(metrics, 'broker', broker, clock);
  return measureConfirms(broker, metrics, clock);
}

interface StorePlatformDeps extends AdapterDeps, Pick<PlatformOptions, 'partitions' | 'program'> {
  /** Absent, without a broker: charger-state finds appended events within seconds. */
  readonly announce?: AnnounceAppended;
}

/** A store alone, for a process without a broker: `file:DIRECTORY`, `mongodb://` or `mongodb+srv://`. */
export function createStorePlatform(url: string, deps: StorePlatformDeps): StorePlatform {
  const directory = dataDirectoryOf(url);
  const sqlite = directory === undefined ? undefined : createSqliteStore({ ...deps, directory });
  const { logger, clock, partitions, program, metrics, tracing, tlsFiles = {} } = deps;
  const caFile = storeCaFileFrom(url, tlsFiles);
  const adapter = sqlite ?? createMongoStore({ logger, clock, url, caFile });
  if (metrics) measureAvailability(metrics, 'store', adapter, clock);
  const measured = metrics === undefined ? adapter : measureCalls(adapter, metrics, clock);
  const store = tracing === undefined ? measured : traceStore(measured, tracing);
  const measures = metrics && measureSchema(metrics);
  const guards = directory === undefined ? [] : [createRestoreGuard(directory)];
  const setup = createStoreSetup({ store, clock, logger, partitions, ...measures });
  // A store in a file has one process.
  const isShown = program !== undefined && directory === undefined;
  const heartbeat = isShown
    ? [createHeartbeat({ store, clock, logger, ...program, ...measures, onUnreadable: endProcess })]
    : [];
  return {
    ...createLifecycle({ name: 'store', services: [...guards, store, setup, ...heartbeat], logger }),
    store,
    records: createRecords(store, clock, announceOf(deps)),
    directory,
    backup: sqlite?.backup,
    setPartitions: (partitions) => setPartitions(store, partitions),
    raiseCounters: () => raiseCounters(store),
  };
}

function announceOf({ announce = () => undefined }: StorePlatformDeps): AnnounceAppended {
  return announce;
}

/** As an uncaught error: it is logged, and the process stops in order with exit code 1. */
function endProcess(error: unknown): void {
  setImmediate(() => {
    throw error;
  });
}

/** The absolute directory that a `file:` URL names; undefined for any other URL. Throws for `file:` alone. */
export function dataDirectoryOf(storeUrl: string): string | undefined {
  if (!storeUrl.startsWith('file:')) return undefined;
  // Both file:./data and file:///var/lib/busbar, without percent-decoding: the text is the path.
  const path = storeUrl.slice('file:'.length).replace(/^\/\/(?=\/)/, '');
  if (path === '') {
    throw new AppError('invalid_configuration', 'STORE_URL names no directory: write for example file:./data.');
  }
  return isAbsolute(path) ? path : resolve(path);
}
