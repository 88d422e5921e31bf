// Every contract of records on MongoDB, on one server, each in databases of its own.
import { createId } from '@busbar/core';
import { createRecordingLogger, describeWithDocumentServer } from '@busbar/testing';
import { createMongoStore } from '../mongo/mongo-store';
import type { Store } from '../port';
import { describeAuthorizationEndpoints } from './api/authorization-endpoints.contract';
import { describeCommands } from './api/commands.contract';
import { describeConnectionAttempts } from './api/connection-attempts.contract';
import { describeConsoleSessions } from './api/console-sessions.contract';
import { describeFollowedLists } from './api/followed-lists.contract';
import { describeIdempotencyRecords } from './api/idempotency-records.contract';
import { describeSessionSearch } from './api/session-search.contract';
import { describeAppendedEvents } from './appended-events.contract';
import { describeDeletedChargers } from './charger-state/deleted-chargers.contract';
import { describeFeedPages } from './charger-state/feed-pages.contract';
import { describeCounters } from './charger-state/raise-counters.contract';
import { describeRetentionStore } from './charger-state/retention-store.contract';
import { describeTransactions } from './charger-state/transactions.contract';
import { describeConnectionHistory } from './connection-history.contract';
import { describeDeviceModels } from './device-models.contract';
import { describeWebhooks } from './webhooks/webhooks.contract';

describeWithDocumentServer('MongoDB', (server) => {
  const create = (): Store => {
    const url = new URL(server().url);
    url.pathname = `/records_${createId().toLowerCase()}`;
    return createMongoStore({ url: url.href, logger: createRecordingLogger() });
  };

  describeAuthorizationEndpoints('the MongoDB store of authorization endpoints', create);
  describeCommands('the MongoDB store of commands', create);
  describeConnectionAttempts('the MongoDB store of rejected connection attempts', create);
  describeConsoleSessions('the MongoDB store of sessions of the console', create);
  describeFollowedLists('a list followed by cursor in the MongoDB store', create);
  describeIdempotencyRecords('the MongoDB store of idempotency records', create);
  describeSessionSearch('a search for transactions in the MongoDB store', create);
  describeAppendedEvents('the MongoDB store with appended events', create);
  describeDeletedChargers('the MongoDB store of deleted chargers', create);
  describeFeedPages('the MongoDB store of the feed', create);
  describeCounters('the MongoDB store of counters', create);
  describeRetentionStore('the retention store on MongoDB', create);
  describeTransactions('the MongoDB store of transactions', create);
  describeConnectionHistory('the MongoDB store of the history of connections', create);
  describeDeviceModels('the MongoDB store of device models', create);
  describeWebhooks('the MongoDB store of webhooks', create);
});
