import { createId } from '@busbar/core';
import { createRecordingLogger, describeWithDocumentServer } from '@busbar/testing';
import { createMongoStore } from '../../mongo/mongo-store';
import { describeFeedPages } from './feed-pages.contract';

describeWithDocumentServer('MongoDB', (server) => {
  describeFeedPages('the MongoDB store of the feed', () => {
    const url = new URL(server().url);
    url.pathname = `/feed_${createId().toLowerCase()}`;
    return createMongoStore({ url: url.href, logger: createRecordingLogger() });
  });
});
