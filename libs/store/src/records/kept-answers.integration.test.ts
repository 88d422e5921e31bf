import { createRecordingLogger, describeWithDocumentServer } from '@busbar/testing';
import { createMongoStore } from '../mongo/mongo-store';
import { describeKeptAnswers } from './kept-answers.contract';

describeWithDocumentServer('MongoDB', (server) => {
  describeKeptAnswers('first answers in the MongoDB store', () =>
    createMongoStore({ url: server().url, logger: createRecordingLogger() }),
  );
});
