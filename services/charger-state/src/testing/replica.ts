// Applies batches without broker or partitions, for tests that interrupt a replica between its writes.
import type { ReportEnvelope } from '@busbar/contracts';
import type { ReportStore } from '@busbar/domain/reports';
import {
  createReportStore,
  createTagClaimStore,
  type BulkOperation,
  type BulkResult,
  type Document,
  type Store,
} from '@busbar/store';
import type { BatchFeed } from '../feed/batch-feed';
import { createRouter } from '../handlers/router';
import { createV16Routes } from '../handlers/v16/routes';
import { createV2Routes } from '../handlers/v2/routes';
import { applyBatch, type ApplyBatchDeps } from '../pipeline/apply';
import type { Applied } from '../pipeline/contract';
import { createPartitionCaches } from '../pipeline/charger-cache';
import { createPendingSideEffects } from '../pipeline/pending-side-effects';
import type { ChargerStateWorld } from './open-world';
import { createCountedStarts } from '../pipeline/transaction-ids';

export type Replica = (...batch: readonly ReportEnvelope[]) => Promise<readonly Applied[]>;

export interface ReplicaOptions {
  /** Default: the world's. */
  readonly store?: Store;
  readonly reports?: ReportStore;
  readonly now?: () => Date;
  /** Default: no feed is written. */
  readonly feed?: BatchFeed;
}

/** One more replica on the world's store, with a memory of its own. */
export function createReplica({ platform }: ChargerStateWorld, options: ReplicaOptions = {}): Replica {
  const { store = platform.store, now = () => new Date() } = options;
  const { reports = createReportStore(store) } = options;
  const routes2 = createV2Routes();
  const deps: ApplyBatchDeps = {
    reports,
    sources: { reports, countedStarts: createCountedStarts(), ...platform.records },
    claims: createTagClaimStore(store),
    cache: createPartitionCaches(10).of(0),
    sideEffects: createPendingSideEffects(),
    route: createRouter({ 'ocpp1.6': createV16Routes(), 'ocpp2.0.1': routes2, 'ocpp2.1': routes2 }),
    heartbeatIntervalS: 300,
    isDeadGateway: () => false,
    now,
    ...(options.feed && { feed: options.feed }),
  };
  return (...batch) => applyBatch(batch, deps);
}

export interface BulkWrite {
  readonly collection: string;
  readonly operations: readonly BulkOperation<Document>[];
  readonly write: () => Promise<BulkResult>;
}

/** The same store with the guarantees of several servers: writes have no order. Each bulk passes through `around`. */
export function withoutOrder(store: Store, around: (bulk: BulkWrite) => Promise<BulkResult>): Store {
  return {
    ...store,
    ordersWrites: false,
    collection(definition) {
      const collection = store.collection(definition);
      return {
        ...collection,
        bulk: (operations) =>
          around({
            collection: definition.name,
            operations: operations,
            write: () => collection.bulk(operations),
          }),
      };
    },
  };
}
