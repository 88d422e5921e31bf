// Jobs that no message waits for.
import type { Broker } from '@busbar/broker';
import type { Clock, Logger, Service } from '@busbar/core';
import type { Records } from '@busbar/domain';
import type { AnnounceAppended } from '@busbar/domain/feed';
import { createSettling, measureSchema, type Metrics, type Migration } from '@busbar/runtime';
import {
  createDeletedChargers,
  createFeedRetention,
  createReportStore,
  createRetentionStore,
  createWaitingChargers,
  type Store,
} from '@busbar/store';
import type { ChargerStateMetrics } from '../charger-state-metrics';
import type { ChargerStateSettings } from '../config';
import { createQueueDepths } from './queue-depths';
import { createReplicaClocks } from './retention/replica-clocks';
import { createRetention } from './retention/retention';
import { createRetentionHorizon } from './retention/retention-horizon';
import { createStrandedSessions } from './stranded-sessions';
import { createTransactionIdsLeft } from './transaction-ids-left';
import { createWaitingLook } from './waiting-chargers';

/** No older program was seen for so long when the store is settled. */
const QUIET_MS = 60_000;

export interface JobDeps {
  readonly broker: Broker;
  readonly store: Store;
  readonly records: Pick<Records, 'chargers' | 'sessions'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly settings: ChargerStateSettings;
  readonly migrations?: readonly Migration[];
}

export interface JobParts {
  readonly metrics: ChargerStateMetrics;
  readonly replicaId: string;
  readonly announce: AnnounceAppended;
}

/** In the order in which they start. */
export function createPeriodicJobs(deps: JobDeps, { metrics, replicaId, announce }: JobParts): readonly Service[] {
  const { broker, store, records, clock, logger, settings, migrations } = deps;
  const { partitions, logRetentionDays: logDays, historyRetentionDays: historyDays } = settings;
  const { sessionRetentionDays: sessionDays, eventRetentionDays: eventDays } = settings;
  const retained = createRetentionStore(store);
  const replicaClocks = createReplicaClocks({ broker, clock, replicaId });
  const horizon = createRetentionHorizon({
    store: retained,
    clock,
    logger,
    otherClocks: replicaClocks.times,
    onAdvance({ suspended, lagMs }) {
      metrics.retentionSuspended.set({}, suspended ? 1 : 0);
      metrics.retentionLag.set({}, Math.round(lagMs / 1000));
    },
  });
  return [
    replicaClocks,
    createRetention({
      store: retained,
      feed: createFeedRetention(store),
      horizon,
      clock,
      logger,
      logDays,
      historyDays,
      sessionDays,
      eventDays,
      deliveryLogDays: settings.deliveryLogDays,
      onDeadLettersExpired: (count) => metrics.expiredDeadLetters.inc({}, count),
      onDeleted: (collection, count) => metrics.retentionDeleted.inc({ collection }, count),
    }),
    createTransactionIdsLeft({
      reports: createReportStore(store, clock),
      clock,
      logger,
      onLeft: (left) => metrics.transactionIdsLeft.set({}, left),
    }),
    createSettling({
      store,
      broker,
      clock,
      logger,
      quietMs: Math.max(QUIET_MS, settings.gatewayLeaseS * 1000),
      ...(migrations ? { migrations } : {}),
      ...measureSchema(deps.metrics),
    }),
    createStrandedSessions({ sessions: records.sessions, chargers: records.chargers, clock, logger }),
    createWaitingLook({
      waiting: createWaitingChargers(store),
      deleted: createDeletedChargers(store),
      announce,
      clock,
      logger,
      onLag: (seconds) => metrics.eventLag.set({}, seconds),
    }),
    createQueueDepths({
      broker,
      clock,
      logger,
      partitions,
      onDepth: (queue, depth) => metrics.waiting.set({ queue }, depth),
    }),
  ];
}
