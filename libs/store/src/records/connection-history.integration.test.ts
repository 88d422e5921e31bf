import { createId } from '@busbar/core';
import { createRecordingLogger, describeWithDocumentServer } from '@busbar/testing';
import { createMongoStore } from '../mongo/mongo-store';
import { describeConnectionHistory } from './connection-history.contract';

describeWithDocumentServer('MongoDB', (server) => {
  describeConnectionHistory('the MongoDB store of the history of connections', () => {
    const url = new URL(server().url);
    url.pathname = `/connections_${createId().toLowerCase()}`;
    return createMongoStore({ url: url.href, logger: createRecordingLogger() });
  });
});
