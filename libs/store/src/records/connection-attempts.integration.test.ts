import { createId } from '@busbar/core';
import { createRecordingLogger, describeWithDocumentServer } from '@busbar/testing';
import { createMongoStore } from '../mongo/mongo-store';
import { describeConnectionAttempts } from './connection-attempts.contract';

describeWithDocumentServer('MongoDB', (server) => {
  describeConnectionAttempts('rejected connection attempts in the MongoDB store', () => {
    const url = new URL(server().url);
    url.pathname = `/attempts_${createId().toLowerCase()}`;
    return createMongoStore({ url: url.href, logger: createRecordingLogger() });
  });
});
