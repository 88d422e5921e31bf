import { createId } from '@busbar/core';
import { createMongoStore } from '@busbar/store';
import { createRecordingLogger, describeWithDocumentServer } from '@busbar/testing';
import { describeSettling } from './settling.contract';

describeWithDocumentServer('MongoDB', (server) => {
  describeSettling('settling on MongoDB', () => {
    const url = new URL(server().url);
    url.pathname = `/settling_${createId().toLowerCase()}`;
    return createMongoStore({ url: url.href, logger: createRecordingLogger() });
  });
});
