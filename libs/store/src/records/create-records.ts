import type { IdempotencyStore } from '@busbar/contracts';
import { systemClock, type Clock } from '@busbar/core';
import type { Records } from '@busbar/domain';
import type { AnnounceAppended } from '@busbar/domain/feed';
import type { Store } from '../port';
import { apiKeyRecords } from './api/api-keys';
import { authorizationEndpointRecords } from './api/authorization-endpoints';
import { createEventAppender } from './append-event';
import { timeOf } from './change-time';
import { certificateRecords } from './charger-state/certificates';
import { deletedPushedChargerRecords } from './deleted-pushed-chargers';
import { createFeedReader } from './charger-state/feed-pages';
import { commandRecords } from './api/commands';
import { consoleSessionRecords, signInCodeRecords } from './api/console-sessions';
import { connectionAttemptRecords } from './api/connection-attempts';
import { connectionHistoryRecords } from './connection-history';
import { historyRecords, sessionRecords } from './api/history';
import { deviceModelRecords, deviceReportRecords, deviceStateRecords, eventStreamRecords } from './device-states';
import { gatewayRecords } from './api/gateways';
import { idempotencyRecords } from './api/idempotency-records';
import { chargerRecords, clientRecords } from './api/registry';
import { siteRecords } from './api/sites';
import { allCollections } from './collections';
import { statisticsRecords } from './api/statistics';
import { tagRecords } from './api/tags';
import { deadDeliveryRecords } from './webhooks/dead-deliveries';
import { deliveryLogRecords } from './webhooks/delivery-log';
import { webhookStandingRecords } from './webhooks/webhook-standings';
import { webhookRecords } from './webhooks/webhooks';

/** All ports: the domain's records, and the APIs' own. */
export interface StoredRecords extends Records {
  readonly idempotency: IdempotencyStore;
}

/**
 * Creates the ports on any store. Declares every collection, so call it before the store is started. The clock gives the time
 * at which a record changed. `announce`: changes of chargers append events of the feed; absent: they append none.
 */
export function createRecords(store: Store, clock: Clock = systemClock, announce?: AnnounceAppended): StoredRecords {
  const events = createEventAppender(clock, announce);
  for (const definition of allCollections) store.collection(definition);
  return {
    clients: clientRecords(store),
    apiKeys: apiKeyRecords(store, clock),
    consoleSessions: consoleSessionRecords(store),
    signInCodes: signInCodeRecords(store),
    sites: siteRecords(store, timeOf(clock)),
    chargers: chargerRecords(store, timeOf(clock), events),
    sessions: sessionRecords(store, timeOf(clock)),
    tags: tagRecords(store, timeOf(clock)),
    commands: commandRecords(store),
    connectionAttempts: connectionAttemptRecords(store),
    connectionHistory: connectionHistoryRecords(store),
    certificates: certificateRecords(store),
    gateways: gatewayRecords(store),
    history: historyRecords(store),
    deviceStates: deviceStateRecords(store),
    deviceModels: deviceModelRecords(store),
    eventStreams: eventStreamRecords(store),
    deviceReports: deviceReportRecords(store),
    statistics: statisticsRecords(store),
    feed: createFeedReader(store),
    webhooks: webhookRecords(store),
    webhookStandings: webhookStandingRecords(store),
    deliveryLog: deliveryLogRecords(store),
    deadDeliveries: deadDeliveryRecords(store),
    deletedPushedChargers: deletedPushedChargerRecords(store),
    authorizationEndpoints: authorizationEndpointRecords(store),
    idempotency: idempotencyRecords(store),
  };
}
