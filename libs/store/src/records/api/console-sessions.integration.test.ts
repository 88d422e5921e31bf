import { createRecordingLogger, describeWithDocumentServer } from '@busbar/testing';
import { createMongoStore } from '../../mongo/mongo-store';
import { describeConsoleSessions } from './console-sessions.contract';

describeWithDocumentServer('MongoDB', (server) => {
  describeConsoleSessions('the MongoDB store of sessions of the console', () =>
    createMongoStore({ url: server().url, logger: createRecordingLogger() }),
  );
});
