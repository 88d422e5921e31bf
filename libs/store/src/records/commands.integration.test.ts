import { createId } from '@busbar/core';
import { createRecordingLogger, describeWithDocumentServer } from '@busbar/testing';
import { createMongoStore } from '../mongo/mongo-store';
import { describeCommands } from './commands.contract';

describeWithDocumentServer('MongoDB', (server) => {
  describeCommands('records of commands in the MongoDB store', () => {
    const url = new URL(server().url);
    url.pathname = `/commands_${createId().toLowerCase()}`;
    return createMongoStore({ url: url.href, logger: createRecordingLogger() });
  });
});
