import { createId } from '@busbar/core';
import { createRecordingLogger, describeWithDocumentServer } from '@busbar/testing';
import { createMongoStore } from '../../mongo/mongo-store';
import { describeConnectionAttempts } from './connection-attempts.contract';

describeWithDocumentServer('MongoDB', (server) => {
  describeConnectionAttempts('the MongoDB store of rejected connection attempts', () => {
    const url = new URL(server().url);
    url.pathname = `/attempts_${createId().toLowerCase()}`;
    return createMongoStore({ url: url.href, logger: createRecordingLogger() });
  });
});
