import type { Broker } from '@busbar/broker';
import { channels } from '@busbar/contracts';
import { createId, type Clock, type Logger, type Service } from '@busbar/core';
import type { Records, StoredSecrets } from '@busbar/domain';
import type { HealthCheck } from '@busbar/http';
import {
  createOwners,
  createParticipation,
  openEgressOf,
  openResponderEgress,
  type Metrics,
  type Tracing,
} from '@busbar/runtime';
import { createFeedPageWriter, type Store } from '@busbar/store';
import { createAuthorizationService } from './authorization/authorization-service';
import { createCertificateService } from './certificates/certificate-service';
import type { PushSettings } from './config';
import { createFormats } from './formats/formats';
import { createPushMetrics } from './push-metrics';
import { createWebhookDeliveries, type PushRecords } from './webhook-deliveries';

export interface PushDeps {
  readonly broker: Broker;
  readonly store: Store;
  readonly records: Pick<Records, 'authorizationEndpoints' | 'chargers' | 'deletedPushedChargers' | 'sites' | 'tags'> &
    PushRecords;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly tracing?: Tracing | undefined;
  readonly settings: PushSettings;
  /** Absent: no key is configured, and no secret can be decrypted. */
  readonly secrets?: StoredSecrets | undefined;
  /** Permits requests to the loopback: the one-process mode while it listens on the loopback itself. */
  readonly loopback?: boolean;
  /** No other process delivers to these webhooks: it does not wait for the answers of others. */
  readonly isAlone?: boolean;
}

export interface Push extends Service {
  /** For `/readyz`; with the store's they are `ready`. */
  readonly checks: readonly HealthCheck[];
}

/** An answer over the broker takes some milliseconds; of one that comes later, events are delivered twice. */
const JOIN_MS = 300;

/** Wires the service: which webhooks this process owns, their deliveries, and requests about them. */
export function createPush(deps: PushDeps): Push {
  const { broker, store, records, clock, logger, settings, secrets, loopback = false, isAlone = false } = deps;
  const replicaId = createId();
  const owners = createOwners(replicaId);
  const openEgress = () => openEgressOf(settings, loopback);
  const participation = createParticipation({
    broker,
    clock,
    logger,
    replicaId,
    owners,
    channel: channels.pushReplicas,
    joinMs: isAlone ? 0 : JOIN_MS,
    probe: () => records.feed.identity(),
    onChange: () => deliveries.review(),
    waiting: () => deliveries.waiting(),
  });
  const deliveries = createWebhookDeliveries({
    broker,
    records,
    pages: createFeedPageWriter(store),
    formats: createFormats({ chargers: records.chargers, deleted: records.deletedPushedChargers, clock }),
    secrets,
    openEgress,
    clock,
    logger,
    metrics: createPushMetrics(deps.metrics),
    maxInFlight: settings.maxInFlight,
    timeScale: settings.timeScale,
    isOwner: (webhookId) => participation.isActive() && owners.ownerOf(webhookId) === replicaId,
    onStored: participation.workEnded,
  });
  const authorization = createAuthorizationService({
    broker,
    records,
    clock,
    logger,
    secrets,
    openEgress,
  });
  const certificates = createCertificateService({
    broker,
    clock,
    logger,
    settings,
    openEgress,
    openResponderEgress: () => openResponderEgress(settings, settings.ocspAllowedCidrs),
  });
  let serves = false;

  return {
    name: 'push',
    async start() {
      if (serves) return;
      await participation.start();
      await deliveries.start();
      await authorization.start();
      await certificates.start();
      serves = true;
      logger.info({ replicaId }, 'push serves');
    },
    async stop() {
      if (!serves) return;
      serves = false;
      await certificates.stop();
      await authorization.stop();
      // Before the others learn that it leaves: what is in flight ends, and the standings are stored.
      await deliveries.stop();
      await participation.stop();
    },
    ready: () => serves && participation.isActive() && store.ready(),
    checks: checksOf({ serves: () => serves, isActive: participation.isActive }),
  };
}

function checksOf(parts: Readonly<Record<'serves' | 'isActive', () => boolean>>): readonly HealthCheck[] {
  return [
    {
      name: 'push',
      isOk: parts.serves,
      details: { ok: 'It serves.', failing: 'It starts or stops. A start waits for the store and its migrations.' },
    },
    {
      name: 'deliveries',
      isOk: parts.isActive,
      details: {
        ok: 'It delivers to its webhooks.',
        failing: 'It delivers nothing: the store does not answer this process. Other processes deliver instead.',
      },
    },
  ];
}
