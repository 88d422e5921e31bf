import { createId } from '@busbar/core';
import { createRecordingLogger, describeWithDocumentServer } from '@busbar/testing';
import { createMongoStore } from '../../mongo/mongo-store';
import { describeTransactions } from './transactions.contract';

describeWithDocumentServer('MongoDB', (server) => {
  describeTransactions('the MongoDB store of transactions', () => {
    const url = new URL(server().url);
    url.pathname = `/transactions_${createId().toLowerCase()}`;
    return createMongoStore({ url: url.href, logger: createRecordingLogger() });
  });
});
