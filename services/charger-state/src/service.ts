import type { Broker, Subscription } from '@busbar/broker';
import { channels } from '@busbar/contracts';
import { createId, type Clock, type Logger, type Service } from '@busbar/core';
import type { Records } from '@busbar/domain';
import { createChargerLink, type Metrics } from '@busbar/runtime';
import {
  createDeadLetterStore,
  createPresenceStore,
  createReportStore,
  createRetentionStore,
  type Store,
} from '@busbar/store';
import { admit } from './admission';
import { createAfterBoot } from './commands/after-boot';
import type { ChargerStateSettings } from './config';
import { createChargerStateMetrics } from './charger-state-metrics';
import { createRouter } from './handlers/router';
import { v16Routes } from './handlers/v16/routes';
import { createOwners } from './partitions/owners';
import { createPartitionConsumers } from './partitions/partition-consumers';
import { createLeaseTable } from './presence/lease-table';
import { createPresence, TICK_MS } from './presence/presence';
import { sendAnswers } from './reports/answers';
import { applyBatch, type Applied, type ApplyBatchDeps } from './reports/apply-batch';
import { createChargerCache } from './reports/charger-cache';
import { createClosings } from './reports/closings';
import { createDeadLetters } from './reports/dead-letters';
import { createPartitionHandler } from './reports/consume-partition';
import { createRetention } from './retention';

export interface ChargerStateDeps {
  readonly broker: Broker;
  readonly store: Store;
  readonly records: Pick<Records, 'chargers' | 'clients' | 'tags' | 'sessions'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly settings: ChargerStateSettings;
  /** The one-process mode, in which no gateway outlives this service. */
  readonly sweepAtStart?: boolean;
}

/** Records kept in memory: some 4 KB each. */
const CACHED_CHARGERS = 20_000;
/** How long after its boot a charger may take to tell its sockets' status before it is asked. */
const STATUS_GRACE_MS = 10_000;

/** The rules: who may connect, what each message means, which connections are true. */
export function createChargerState(deps: ChargerStateDeps): Service {
  const { broker, store, records, clock, logger, settings } = deps;
  const metrics = createChargerStateMetrics(deps.metrics);
  const replicaId = createId();
  const reports = createReportStore(store);
  const presence = createPresence({
    broker,
    clock,
    logger,
    replicaId,
    store: createPresenceStore(store),
    leases: createLeaseTable(Math.ceil((settings.gatewayLeaseS * 1000) / TICK_MS)),
    sweepAtStart: deps.sweepAtStart ?? false,
  });
  const isDead = presence.isDead;
  const closings = createClosings({ broker, clock, logger, isDead });
  const commandTimeoutMs = settings.commandTimeoutS * 1000;
  const afterBoot = createAfterBoot({
    link: createChargerLink(broker),
    reports,
    clock,
    logger,
    commandTimeoutMs,
    statusGraceMs: STATUS_GRACE_MS,
  });
  const applyDeps: ApplyBatchDeps = {
    reports,
    sources: { reports, clients: records.clients, tags: records.tags, sessions: records.sessions },
    cache: createChargerCache(CACHED_CHARGERS),
    route: createRouter({ 'ocpp1.6': v16Routes }),
    heartbeatIntervalS: settings.heartbeatIntervalS,
    isDeadGateway: isDead,
  };
  const deadLetters = createDeadLetters({
    broker,
    clock,
    logger,
    store: createDeadLetterStore(store),
    onBuried: () => metrics.deadLetters.inc({}),
  });
  const consumers = createPartitionConsumers({
    broker,
    clock,
    logger,
    replicaId,
    partitions: settings.partitions,
    owners: createOwners(replicaId),
    handler: createPartitionHandler({
      apply: (batch) => applyBatch(batch, applyDeps),
      bury: deadLetters.bury,
      buryMalformed: (error) => logger.error({ err: error }, 'a body that is no report was dropped'),
      follow(applied: readonly Applied[]) {
        metrics.applied.inc({}, applied.length);
        sendAnswers(broker, applied);
        closings.follow(applied);
        afterBoot.follow(applied);
      },
      logger,
    }),
  });
  const retention = createRetention({
    store: createRetentionStore(store),
    clock,
    logger,
    logDays: settings.logRetentionDays,
    historyDays: settings.historyRetentionDays,
  });
  let admissions: Subscription | undefined;

  return {
    name: 'charger-state',
    async start() {
      if (admissions) return;
      await deadLetters.start();
      await presence.start();
      await consumers.start();
      admissions = await broker.respond(channels.admissions, '', (request) =>
        admit(request, { chargers: records.chargers, reports, partitions: settings.partitions }),
      );
      await retention.start();
      logger.info({ replicaId, partitions: settings.partitions }, 'charger-state serves');
    },
    async stop() {
      await admissions?.close();
      admissions = undefined;
      await retention.stop();
      afterBoot.stop();
      await consumers.stop();
      await deadLetters.stop();
      closings.stop();
      await presence.stop();
    },
    ready: () => admissions !== undefined && consumers.ready() && store.ready(),
  };
}
