import type { Broker } from '@busbar/broker';
import { partitionOf, REPORT_VERSION, type ReportEnvelope } from '@busbar/contracts';
import { createId, type Clock, type Logger, type Service } from '@busbar/core';
import type { Records } from '@busbar/domain';
import type { ReportStore } from '@busbar/domain/reports';
import type { HealthCheck } from '@busbar/http';
import {
  createAnnouncer,
  createChargerLink,
  createOwners,
  type Metrics,
  type Migration,
  type Tracing,
} from '@busbar/runtime';
import {
  createDeadLetterStore,
  createDeletedChargers,
  createFeedPages,
  createPresenceStore,
  createReportStore,
  createTagClaimStore,
  type Store,
} from '@busbar/store';
import { authoritiesOf } from './handlers/shared/certificates/authorities';
import { createAdmissionService } from './admission/admission-service';
import { createAttemptService } from './admission/attempt-service';
import type { ChargerStateSettings } from './config';
import { createChargerStateMetrics, observePartitions, type ChargerStateMetrics } from './charger-state-metrics';
import { createPartitionFeeds, type PartitionFeeds } from './feed/partition-feeds';
import { createSiteIds } from './feed/site-ids';
import { createRouter, followVersions, type Version } from './handlers/router';
import { createV16 } from './handlers/v16/version';
import { createV2OnDemand } from './handlers/v2/on-demand';
import { createPartitionConsumers } from './partitions/partition-consumers';
import { createLeaseTable } from './presence/lease-table';
import { TICK_MS } from './presence/own-ticks';
import { createPeriodicJobs } from './jobs/periodic-jobs';
import { createPresence, type Presence } from './presence/presence';
import { abandonSessions } from './pipeline/abandon-sessions';
import { sendAnswers } from './pipeline/answers';
import { applyBatch, type ApplyBatchDeps } from './pipeline/apply';
import { createPartitionCaches, type PartitionCaches } from './pipeline/charger-cache';
import { FEED_CHUNK } from './pipeline/chunk';
import { createClosings, type Closings } from './pipeline/closings';
import { createDeadLetters, type DeadLetters } from './pipeline/dead-letters';
import { createPartitionHandler } from './pipeline/deliver';
import { countApplied } from './pipeline/count-applied';
import { measureBatches } from './pipeline/measure-batches';
import { traceBatches } from './pipeline/trace-batches';
import { createCountedStarts } from './pipeline/transaction-ids';

export interface ChargerStateDeps {
  readonly broker: Broker;
  readonly store: Store;
  readonly records: Pick<
    Records,
    | 'certificates'
    | 'authorizationEndpoints'
    | 'chargers'
    | 'clients'
    | 'connectionAttempts'
    | 'sites'
    | 'tags'
    | 'sessions'
  >;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly tracing?: Tracing | undefined;
  readonly settings: ChargerStateSettings;
  /** The one-process mode, in which no gateway outlives this service. */
  readonly sweepAtStart?: boolean;
  /** Default: those of this program. Tests give others. */
  readonly migrations?: readonly Migration[];
}

export interface ChargerState extends Service {
  /** For `/readyz`; with the store's they are `ready`. */
  readonly checks: readonly HealthCheck[];
}

/** Records in the cache: about 4 KB each, and at most 32 Mi characters of long texts. */
const CACHED_CHARGERS = 20_000;

/** Wires the service: admission, the pipeline of reports, presence of gateways, and periodic jobs. */
export function createChargerState(deps: ChargerStateDeps): ChargerState {
  const { broker, store, records, clock, logger, settings } = deps;
  const metrics = createChargerStateMetrics(deps.metrics);
  const replicaId = createId();
  const reports = createReportStore(store, clock);
  const { partitions } = settings;
  const announce = createAnnouncer({ broker, clock, partitions });
  const gateways = createPresenceStore(store, clock, announce);
  const presence = createPresence({
    broker,
    clock,
    logger,
    replicaId,
    store: gateways,
    leases: createLeaseTable(Math.ceil((settings.gatewayLeaseS * 1000) / TICK_MS)),
    sweepAtStart: deps.sweepAtStart ?? false,
    onLapse: () => metrics.lapses.inc({}),
  });
  const closings = createClosings({ broker, clock, logger, isDead: presence.isDeadAnywhere });
  const link = createChargerLink(deps);
  const authorities = authoritiesOf(settings, clock);
  const versions = [
    createV16({ link, reports, records, clock, logger, settings, authorities }),
    ...createV2OnDemand({ link, reports, records, clock, logger, settings, authorities }),
  ];
  const caches = createPartitionCaches(CACHED_CHARGERS);
  const feeds = createPartitionFeeds({
    broker,
    clock,
    metrics,
    reports,
    pages: createFeedPages(store),
    deleted: createDeletedChargers(store),
    siteIds: createSiteIds({ sites: records.sites, clock }),
  });
  const deadLetters = createDeadLetters({
    broker,
    clock,
    logger,
    store: createDeadLetterStore(store),
    onDeadLettered: (kind) => metrics.deadLetters.inc({ kind }),
    onNewer: () => metrics.newerBodies.inc({ queue: 'dead-letters' }),
  });
  const consumers = createPartitionConsumers({
    broker,
    clock,
    logger,
    replicaId,
    partitions: settings.partitions,
    owners: createOwners(replicaId, REPORT_VERSION),
    probe: () => gateways.isDead(replicaId),
    onNewer: () => metrics.newerBodies.inc({ queue: 'reports' }),
    onActiveChange(isActive) {
      if (!isActive) metrics.standbyCount.inc({});
      // A replica that reaches the store answers instead.
      for (const service of admissionServices) service.want(isActive);
    },
    onMove(what, partition) {
      if (what === 'taken') {
        caches.begin(partition);
        feeds.begin(partition);
      }
      (what === 'taken' ? metrics.activePartitions : metrics.leftPartitions).inc({});
    },
    handler: createPipeline(deps, { reports, metrics, presence, closings, versions, caches, feeds, deadLetters }),
  });
  observePartitions(deps.metrics, consumers.owned);
  const jobs = createPeriodicJobs(deps, { metrics, replicaId, announce });
  const admissions = createAdmissionService({ ...deps, reports });
  const admissionServices = [admissions, createAttemptService(deps)];
  let serves = false;

  return {
    name: 'charger-state',
    async start() {
      if (serves) return;
      for (const version of versions) await version.start();
      await deadLetters.start();
      await presence.start();
      await consumers.start();
      for (const service of admissionServices) await service.start();
      serves = true;
      for (const job of jobs) await job.start();
      logger.info({ replicaId, partitions: settings.partitions }, 'charger-state serves');
    },
    async stop() {
      serves = false;
      for (const service of admissionServices) await service.stop();
      for (const job of jobs) await job.stop();
      for (const version of versions) version.stop();
      await consumers.stop();
      await deadLetters.stop();
      closings.stop();
      await presence.stop();
    },
    ready: () => serves && admissions.isOpen() && consumers.ready() && store.ready(),
    checks: checksOf({ serves: () => serves, admits: admissions.isOpen, consumes: consumers.ready }),
  };
}

function checksOf(parts: Readonly<Record<'serves' | 'admits' | 'consumes', () => boolean>>): readonly HealthCheck[] {
  return [
    {
      name: 'charger-state',
      isOk: parts.serves,
      details: { ok: 'It serves.', failing: 'It starts or stops. A start waits for the store and its migrations.' },
    },
    {
      name: 'admissions',
      isOk: parts.admits,
      details: {
        ok: 'It answers whether chargers may connect.',
        failing: 'It does not answer whether chargers may connect: the store does not answer it. Other replicas do it.',
      },
    },
    {
      name: 'partitions',
      isOk: parts.consumes,
      details: {
        ok: 'It consumes its partitions.',
        failing: 'A partition has no consumer here: the broker or the store is unavailable, or a queue has no leader.',
      },
    },
  ];
}

interface PipelineParts {
  readonly reports: ReportStore;
  readonly metrics: ChargerStateMetrics;
  readonly presence: Pick<Presence, 'isDead'>;
  readonly closings: Closings;
  readonly versions: readonly Version[];
  readonly caches: PartitionCaches;
  readonly feeds: PartitionFeeds;
  readonly deadLetters: DeadLetters;
}

/** The way of a batch: deliver, apply, and what follows from it. */
function createPipeline(deps: ChargerStateDeps, parts: PipelineParts) {
  const { broker, store, records, clock, logger, tracing, settings } = deps;
  const { reports, metrics, versions } = parts;
  const { heartbeatIntervalS, maxStartsPerDay, maxClientStartsPerDay } = settings;
  const route = createRouter(Object.fromEntries(versions.map(({ name, routes }) => [name, routes])));
  const applyDeps: Omit<ApplyBatchDeps, 'cache' | 'feed' | 'sideEffects'> = {
    reports,
    sources: {
      reports,
      clients: records.clients,
      tags: records.tags,
      sessions: records.sessions,
      countedStarts: createCountedStarts(),
    },
    claims: createTagClaimStore(store),
    route,
    heartbeatIntervalS,
    maxStartsPerDay,
    maxClientStartsPerDay,
    isDeadGateway: parts.presence.isDead,
    now: () => clock.now(),
  };
  const handler = createPartitionHandler({
    applyIn(partition, sideEffects) {
      const own = { cache: parts.caches.of(partition), feed: parts.feeds.of(partition) };
      const partDeps = { ...applyDeps, ...own, sideEffects };
      // A nudge that another number of partitions sent elsewhere: the events of a charger go into one partition.
      const isElsewhere = ({ kind, chargerId }: ReportEnvelope): boolean =>
        kind === 'nudge' && partitionOf(chargerId, settings.partitions) !== partition;
      return (batch) =>
        applyBatch(batch.some(isElsewhere) ? batch.filter((each) => !isElsewhere(each)) : batch, partDeps);
    },
    deadLetter: parts.deadLetters.deadLetter,
    deadLetterBody: parts.deadLetters.deadLetterBody,
    limits: FEED_CHUNK,
    onFailure: () => metrics.failedBatches.inc({}),
    follow(applied) {
      countApplied(applied, metrics, logger);
      sendAnswers(broker, applied);
      parts.closings.follow(applied);
      abandonSessions(applied, { sessions: records.sessions, route, logger });
      followVersions(versions, applied);
    },
  });
  const measured = measureBatches(handler, { clock, metrics });
  return tracing === undefined ? measured : traceBatches(measured, tracing);
}
