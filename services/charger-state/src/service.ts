import type { Broker } from '@busbar/broker';
import { createId, type Clock, type Logger, type Service } from '@busbar/core';
import type { Records } from '@busbar/domain';
import { createChargerLink, type Metrics } from '@busbar/runtime';
import {
  createDeadLetterStore,
  createPresenceStore,
  createReportStore,
  createRetentionStore,
  createTagClaimStore,
  type Store,
} from '@busbar/store';
import { createAdmissionService } from './admission/admission-service';
import { createAttemptService } from './admission/attempt-service';
import { authorityOf } from './handlers/v16/certificates/authority';
import { createSigner } from './handlers/v16/certificates/signer';
import { createAfterBoot } from './handlers/v16/after-boot';
import type { ChargerStateSettings } from './config';
import { createChargerStateMetrics, type ChargerStateMetrics } from './charger-state-metrics';
import { createRouter } from './handlers/router';
import { v16Routes } from './handlers/v16/routes';
import { createOwners } from './partitions/owners';
import { createPartitionConsumers } from './partitions/partition-consumers';
import { createQueueDepths } from './jobs/queue-depths';
import { createLeaseTable } from './presence/lease-table';
import { TICK_MS } from './presence/own-ticks';
import { createPresence } from './presence/presence';
import { abandonSessions } from './pipeline/abandon-sessions';
import { sendAnswers } from './pipeline/answers';
import { applyBatch, type ApplyBatchDeps } from './pipeline/apply-batch';
import type { Applied } from './pipeline/outcome';
import { createPartitionCaches } from './pipeline/charger-cache';
import { createClosings } from './pipeline/closings';
import { createDeadLetters } from './pipeline/dead-letters';
import { createPartitionHandler } from './pipeline/consume-partition';
import { createReplicaClocks } from './jobs/retention/replica-clocks';
import { createRetention } from './jobs/retention/retention';
import { createRetentionHorizon } from './jobs/retention/retention-horizon';
import { reportApplied } from './pipeline/report-applied';
import { createStrandedSessions } from './jobs/stranded-sessions';
import { createTransactionIdsLeft } from './jobs/transaction-ids-left';

export interface ChargerStateDeps {
  readonly broker: Broker;
  readonly store: Store;
  readonly records: Pick<Records, 'certificates' | 'chargers' | 'clients' | 'connectionAttempts' | 'tags' | 'sessions'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly settings: ChargerStateSettings;
  /** The one-process mode, in which no gateway outlives this service. */
  readonly sweepAtStart?: boolean;
}

/** Records kept in memory: some 4 KB each, beside 32 Mi characters of what may be long in them. */
const CACHED_CHARGERS = 20_000;
/** How long after its boot a charger may take to tell its sockets' status before it is asked. */
const STATUS_GRACE_MS = 10_000;

/** The rules: who may connect, what each message means, which connections are true. */
export function createChargerState(deps: ChargerStateDeps): Service {
  const { broker, store, records, clock, logger, settings } = deps;
  const metrics = createChargerStateMetrics(deps.metrics);
  const replicaId = createId();
  const reports = createReportStore(store);
  const gateways = createPresenceStore(store);
  const presence = createPresence({
    ...{ broker, clock, logger, replicaId, store: gateways },
    leases: createLeaseTable(Math.ceil((settings.gatewayLeaseS * 1000) / TICK_MS)),
    sweepAtStart: deps.sweepAtStart ?? false,
    onLapse: () => metrics.lapses.inc({}),
  });
  const closings = createClosings({ broker, clock, logger, isDead: presence.isDeadAnywhere });
  const commandTimeoutMs = settings.commandTimeoutS * 1000;
  const link = createChargerLink(broker);
  const afterBoot = createAfterBoot({
    ...{ link, reports, clock, logger, commandTimeoutMs },
    statusGraceMs: STATUS_GRACE_MS,
  });
  const authority = authorityOf(settings, clock);
  const signer = authority && createSigner({ authority, records, link, clock, logger, commandTimeoutMs });
  const caches = createPartitionCaches(CACHED_CHARGERS);
  const { heartbeatIntervalS, maxStartsPerDay, maxClientStartsPerDay } = settings;
  const applyDeps: Omit<ApplyBatchDeps, 'cache' | 'sideEffects'> = {
    reports,
    sources: { reports, clients: records.clients, tags: records.tags, sessions: records.sessions },
    claims: createTagClaimStore(store),
    route: createRouter({ 'ocpp1.6': v16Routes }),
    ...{ heartbeatIntervalS, maxStartsPerDay, maxClientStartsPerDay },
    signsCertificates: authority !== undefined,
    isDeadGateway: presence.isDead,
    now: () => clock.now(),
  };
  const deadLetters = createDeadLetters({
    ...{ broker, clock, logger, store: createDeadLetterStore(store) },
    onDeadLettered: (kind) => metrics.deadLetters.inc({ kind }),
    onNewer: () => metrics.newerBodies.inc({ queue: 'dead-letters' }),
  });
  const consumers = createPartitionConsumers({
    ...{ broker, clock, logger, replicaId, partitions: settings.partitions, owners: createOwners(replicaId) },
    probe: () => gateways.isDead(replicaId),
    onNewer: () => metrics.newerBodies.inc({ queue: 'reports' }),
    onActiveChange(isActive) {
      if (!isActive) metrics.standbyCount.inc({});
      // Whoever shares the address with this replica answers better.
      for (const service of desks) service.want(isActive);
    },
    onMove(what, partition) {
      if (what === 'taken') caches.begin(partition);
      (what === 'taken' ? metrics.activePartitions : metrics.leftPartitions).inc({});
    },
    handler: createPartitionHandler({
      applyIn(partition, sideEffects) {
        const partDeps = { ...applyDeps, sideEffects, cache: caches.of(partition) };
        return (reports) => applyBatch(reports, partDeps);
      },
      deadLetter: deadLetters.deadLetter,
      deadLetterBody: deadLetters.deadLetterBody,
      onFailure: () => metrics.failedBatches.inc({}),
      follow(applied: readonly Applied[]) {
        reportApplied(applied, metrics, logger);
        sendAnswers(broker, applied);
        closings.follow(applied);
        abandonSessions(applied, { sessions: records.sessions, logger });
        afterBoot.follow(applied);
        signer?.follow(applied);
      },
      logger,
    }),
  });
  const jobs = createPeriodicJobs(deps, metrics, replicaId);
  const admissions = createAdmissionService({ ...deps, reports });
  const desks = [admissions, createAttemptService(deps)];
  let serves = false;

  return {
    name: 'charger-state',
    async start() {
      if (serves) return;
      await authority?.check();
      await deadLetters.start();
      await presence.start();
      await consumers.start();
      for (const service of desks) await service.start();
      serves = true;
      for (const job of jobs) await job.start();
      logger.info({ replicaId, partitions: settings.partitions }, 'charger-state serves');
    },
    async stop() {
      serves = false;
      for (const service of desks) await service.stop();
      for (const job of jobs) await job.stop();
      afterBoot.stop();
      signer?.stop();
      await consumers.stop();
      await deadLetters.stop();
      closings.stop();
      await presence.stop();
    },
    ready: () => serves && admissions.isOpen() && consumers.ready() && store.ready(),
  };
}

/** What goes on beside the messages, and nothing waits for. */
function createPeriodicJobs(
  { broker, store, records, clock, logger, settings }: ChargerStateDeps,
  metrics: ChargerStateMetrics,
  replicaId: string,
): readonly Service[] {
  const { partitions, logRetentionDays: logDays, historyRetentionDays: historyDays } = settings;
  const { sessionRetentionDays: sessionDays } = settings;
  const tell = (queue: string, waiting: number): void => metrics.waiting.set({ queue }, waiting);
  const retained = createRetentionStore(store);
  const replicaClocks = createReplicaClocks({ broker, clock, replicaId });
  const horizon = createRetentionHorizon({
    ...{ store: retained, clock, logger, otherClocks: replicaClocks.times },
    onAdvance({ suspended, lagMs }) {
      metrics.retentionSuspended.set({}, suspended ? 1 : 0);
      metrics.retentionLag.set({}, Math.round(lagMs / 1000));
    },
  });
  return [
    replicaClocks,
    createRetention({
      ...{ store: retained, horizon, clock, logger, logDays, historyDays, sessionDays },
      onDeadLettersExpired: (count) => metrics.expiredDeadLetters.inc({}, count),
      onDeleted: (collection, count) => metrics.retentionDeleted.inc({ collection }, count),
    }),
    createTransactionIdsLeft({
      ...{ reports: createReportStore(store), clock, logger },
      onLeft: (left) => metrics.transactionIdsLeft.set({}, left),
    }),
    createStrandedSessions({ sessions: records.sessions, chargers: records.chargers, clock, logger }),
    createQueueDepths({ broker, clock, logger, partitions, tell }),
  ];
}
