import { createId } from '@busbar/core';
import { createRecordingLogger, describeWithDocumentServer } from '@busbar/testing';
import { createMongoStore } from '../mongo/mongo-store';
import { describeAppendedEvents } from './appended-events.contract';

describeWithDocumentServer('MongoDB', (server) => {
  describeAppendedEvents('the MongoDB store with appended events', () => {
    const url = new URL(server().url);
    url.pathname = `/appended_${createId().toLowerCase()}`;
    return createMongoStore({ url: url.href, logger: createRecordingLogger() });
  });
});
