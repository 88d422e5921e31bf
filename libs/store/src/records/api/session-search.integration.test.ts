import { createId } from '@busbar/core';
import { createRecordingLogger, describeWithDocumentServer } from '@busbar/testing';
import { createMongoStore } from '../../mongo/mongo-store';
import { describeSessionSearch } from './session-search.contract';

describeWithDocumentServer('MongoDB', (server) => {
  describeSessionSearch('a search for transactions in the MongoDB store', () => {
    const url = new URL(server().url);
    url.pathname = `/sessions_${createId().toLowerCase()}`;
    return createMongoStore({ url: url.href, logger: createRecordingLogger() });
  });
});
