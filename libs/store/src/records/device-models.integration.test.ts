import { createId } from '@busbar/core';
import { createRecordingLogger, describeWithDocumentServer } from '@busbar/testing';
import { createMongoStore } from '../mongo/mongo-store';
import { describeDeviceModels } from './device-models.contract';

describeWithDocumentServer('MongoDB', (server) => {
  describeDeviceModels('the MongoDB store of device models', () => {
    const url = new URL(server().url);
    url.pathname = `/models_${createId().toLowerCase()}`;
    return createMongoStore({ url: url.href, logger: createRecordingLogger() });
  });
});
