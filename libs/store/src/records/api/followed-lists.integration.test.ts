import { createId } from '@busbar/core';
import { createRecordingLogger, describeWithDocumentServer } from '@busbar/testing';
import { createMongoStore } from '../../mongo/mongo-store';
import { describeFollowedLists } from './followed-lists.contract';

describeWithDocumentServer('MongoDB', (server) => {
  describeFollowedLists('a list followed by cursor in the MongoDB store', () => {
    const url = new URL(server().url);
    url.pathname = `/followed_${createId().toLowerCase()}`;
    return createMongoStore({ url: url.href, logger: createRecordingLogger() });
  });
});
