import { createId } from '@busbar/core';
import { createRecordingLogger, describeWithDocumentServer } from '@busbar/testing';
import { createMongoStore } from '../../mongo/mongo-store';
import { describeDeletedChargers } from './deleted-chargers.contract';

describeWithDocumentServer('MongoDB', (server) => {
  describeDeletedChargers('the MongoDB store of deleted chargers', () => {
    const url = new URL(server().url);
    url.pathname = `/deleted_${createId().toLowerCase()}`;
    return createMongoStore({ url: url.href, logger: createRecordingLogger() });
  });
});
