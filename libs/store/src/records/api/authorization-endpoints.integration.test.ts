import { createId } from '@busbar/core';
import { createRecordingLogger, describeWithDocumentServer } from '@busbar/testing';
import { createMongoStore } from '../../mongo/mongo-store';
import { describeAuthorizationEndpoints } from './authorization-endpoints.contract';

describeWithDocumentServer('MongoDB', (server) => {
  describeAuthorizationEndpoints('the MongoDB store of authorization endpoints', () => {
    const url = new URL(server().url);
    url.pathname = `/authorization_${createId().toLowerCase()}`;
    return createMongoStore({ url: url.href, logger: createRecordingLogger() });
  });
});
