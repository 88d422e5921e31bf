import { createRecordingLogger, describeWithDocumentServer } from '@busbar/testing';
import { createMongoStore } from '../../mongo/mongo-store';
import { describeIdempotencyRecords } from './idempotency-records.contract';

describeWithDocumentServer('MongoDB', (server) => {
  describeIdempotencyRecords('the MongoDB store of idempotency records', () =>
    createMongoStore({ url: server().url, logger: createRecordingLogger() }),
  );
});
