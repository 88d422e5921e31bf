import { createId } from '@busbar/core';
import { createRecordingLogger, describeWithDocumentServer } from '@busbar/testing';
import { createMongoStore } from '../../mongo/mongo-store';
import { describeRetentionStore } from './retention-store.contract';

describeWithDocumentServer('MongoDB', (server) => {
  describeRetentionStore('the retention store on MongoDB', () => {
    const url = new URL(server().url);
    url.pathname = `/retention_${createId().toLowerCase()}`;
    return createMongoStore({ url: url.href, logger: createRecordingLogger() });
  });
});
