import { createRecordingLogger, describeWithDocumentServer } from '@busbar/testing';
import { createMongoStore } from '../mongo/mongo-store';
import { describeIdempotencyRecords } from './idempotency-records.contract';

describeWithDocumentServer('MongoDB', (server) => {
  describeIdempotencyRecords('idempotency records in the MongoDB store', () =>
    createMongoStore({ url: server().url, logger: createRecordingLogger() }),
  );
});
