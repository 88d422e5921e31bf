import { createId } from '@busbar/core';
import { createRecordingLogger, describeWithDocumentServer } from '@busbar/testing';
import { createMongoStore } from '../../mongo/mongo-store';
import { describeCounters } from './raise-counters.contract';

describeWithDocumentServer('MongoDB', (server) => {
  describeCounters('the MongoDB store of counters', () => {
    const url = new URL(server().url);
    url.pathname = `/counters_${createId().toLowerCase()}`;
    return createMongoStore({ url: url.href, logger: createRecordingLogger() });
  });
});
