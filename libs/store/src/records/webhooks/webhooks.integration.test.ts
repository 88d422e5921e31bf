import { createId } from '@busbar/core';
import { createRecordingLogger, describeWithDocumentServer } from '@busbar/testing';
import { createMongoStore } from '../../mongo/mongo-store';
import { describeWebhooks } from './webhooks.contract';

describeWithDocumentServer('MongoDB', (server) => {
  describeWebhooks('the MongoDB store of webhooks', () => {
    const url = new URL(server().url);
    url.pathname = `/webhooks_${createId().toLowerCase()}`;
    return createMongoStore({ url: url.href, logger: createRecordingLogger() });
  });
});
