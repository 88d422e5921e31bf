// The deliveries to all webhooks that this process owns, and the requests about any webhook. Wires the parts.
import type { Broker } from '@busbar/broker';
import { channels } from '@busbar/contracts';
import {
  createOutageReporter,
  createPeriodicJob,
  type Clock,
  type Logger,
  type OutageReporter,
  type Service,
} from '@busbar/core';
import type { Records, StoredSecrets } from '@busbar/domain';
import { findEvent, type FeedPageWriter } from '@busbar/domain/feed';
import type { SiteReader } from '@busbar/domain/sites';
import type { DeadDeliveries, DeliveryLog, Webhook, WebhookReader, WebhookStandings } from '@busbar/domain/webhooks';
import { createRetainedSubscription, type Egress } from '@busbar/runtime';
import { createAnnounceDisabled } from './delivery/announce-disabled';
import { createAttemptLog } from './delivery/attempt-log';
import { createFairSlots } from './delivery/fair-slots';
import { createSendEvent } from './delivery/send-event';
import { wantedEvents } from './delivery/wanted-events';
import { createFeedHeads } from './feed/feed-heads';
import { createPageSource } from './feed/page-source';
import type { Formats } from './formats/formats';
import { createOwnedWebhooks } from './ownership/owned-webhooks';
import { createWebhookRunner } from './ownership/webhook-runner';
import { measureRunners, waitingFor, type PushMetrics } from './push-metrics';
import { createPushRequests } from './requests/push-requests';

export interface PushRecords extends Pick<Records, 'connectionHistory' | 'feed'> {
  readonly sites: Pick<SiteReader, 'childIds'>;
  readonly webhooks: WebhookReader;
  readonly webhookStandings: WebhookStandings;
  readonly deliveryLog: Pick<DeliveryLog, 'append'>;
  readonly deadDeliveries: Pick<DeadDeliveries, 'insert' | 'find' | 'remove'>;
}

export interface WebhookDeliveriesDeps {
  readonly broker: Pick<Broker, 'broadcast' | 'listen' | 'respond'>;
  readonly records: PushRecords;
  readonly pages: FeedPageWriter;
  readonly formats: Formats;
  readonly secrets: Pick<StoredSecrets, 'decrypt'> | undefined;
  readonly openEgress: () => Promise<Pick<Egress, 'send' | 'close'>>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: PushMetrics;
  /** Requests in flight of this process. */
  readonly maxInFlight: number;
  readonly timeScale: number;
  readonly isOwner: (webhookId: string) => boolean;
  /** The result of each access to the store. */
  readonly onStored: (error?: unknown) => void;
}

export interface WebhookDeliveries extends Service {
  /** About how many events wait for the webhooks of this process, without disabled ones. */
  waiting(): number;
  /** Owners of webhooks may be others now. */
  review(): void;
}

const MEASURE_MS = 5_000;

export function createWebhookDeliveries(deps: WebhookDeliveriesDeps): WebhookDeliveries {
  const { records, clock, logger, metrics } = deps;
  let egress: Pick<Egress, 'send' | 'close'> | undefined;
  const source = createPageSource(records.feed);
  const heads = createFeedHeads({ feed: records.feed, clock, logger, onReplaced: source.clear });
  const send = createSendEvent({
    egress() {
      if (egress === undefined) throw new Error('push is not started');
      return egress;
    },
    formats: deps.formats,
    secrets: deps.secrets,
    clock,
  });
  const log = createAttemptLog({
    log: records.deliveryLog,
    clock,
    logger,
    onDropped: (count) => metrics.droppedLog.inc({}, count),
  });
  const createRunner = runnersOf(deps, { source, heads, send, log });
  const owned = createOwnedWebhooks({ webhooks: records.webhooks, isOwner: deps.isOwner, createRunner, clock, logger });
  const respond = createPushRequests({
    webhooks: records.webhooks,
    deadDeliveries: records.deadDeliveries,
    findEvent: (clientId, eventId) => findEvent(records, clientId, eventId),
    send,
    log,
    clock,
    logger,
  });
  const measuring = createPeriodicJob({
    name: 'metrics of webhooks',
    everyMs: MEASURE_MS,
    run: () => Promise.resolve(measureRunners(metrics, owned.runners())),
    failed: 'the metrics of webhooks were not measured',
    clock,
    logger,
  });
  const outages = outagesOf(
    deps,
    'push is not subscribed; events are delivered up to 2 s later',
    'push is subscribed again',
  );
  const subscriptions = [
    createRetainedSubscription({
      what: channels.eventPages.name,
      open: () => deps.broker.listen(channels.eventPages, heads.hint),
      clock,
      outages,
    }),
    createRetainedSubscription({
      what: channels.webhooks.name,
      open: () => deps.broker.listen(channels.webhooks, ({ clientId, webhookId }) => owned.hint(clientId, webhookId)),
      clock,
      outages,
    }),
    createRetainedSubscription({
      what: channels.pushRequests.name,
      open: () => deps.broker.respond(channels.pushRequests, '', respond),
      clock,
      outages,
    }),
  ];

  return {
    name: 'deliveries to webhooks',
    review: owned.review,
    waiting: () => waitingFor(owned.runners()),
    async start() {
      egress ??= await deps.openEgress();
      await heads.start();
      await log.start();
      await owned.start();
      for (const subscription of subscriptions) await subscription.start();
      await measuring.start();
    },
    async stop() {
      await measuring.stop();
      for (const subscription of subscriptions) await subscription.stop();
      // Lets what is in flight end.
      await owned.stop();
      await heads.stop();
      await log.stop();
      await egress?.close();
      egress = undefined;
    },
    ready: owned.ready,
  };
}

type RunnerParts = Pick<Parameters<typeof createWebhookRunner>[0], 'source' | 'heads' | 'send' | 'log'>;

function runnersOf(deps: WebhookDeliveriesDeps, parts: RunnerParts) {
  const { records, broker, pages, clock, logger, metrics, timeScale, onStored } = deps;
  const slots = createFairSlots(deps.maxInFlight);
  const outages = outagesOf(
    deps,
    'deliveries to a webhook are paused: the store, its key or its charger cannot be read; it is tried again',
    'deliveries to all webhooks continue',
  );
  return (webhook: Webhook) =>
    createWebhookRunner(
      {
        ...parts,
        feed: records.feed,
        standings: records.webhookStandings,
        deadDeliveries: records.deadDeliveries,
        slots,
        announce: createAnnounceDisabled({ feed: records.feed, pages, broker, clock }),
        wantedEvents: (each) => wantedEvents(records.sites, each),
        clock,
        logger,
        outages,
        timeScale,
        random: Math.random,
        onAttempt: (outcome) => metrics.attempts.inc({ outcome }),
        onDead: () => metrics.parked.inc({}),
        onStored,
      },
      webhook,
    );
}

function outagesOf({ clock, logger }: WebhookDeliveriesDeps, began: string, ended: string): OutageReporter {
  return createOutageReporter({ clock, logger, began, ended });
}
