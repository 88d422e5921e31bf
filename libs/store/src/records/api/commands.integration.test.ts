import { createId } from '@busbar/core';
import { createRecordingLogger, describeWithDocumentServer } from '@busbar/testing';
import { createMongoStore } from '../../mongo/mongo-store';
import { describeCommands } from './commands.contract';

describeWithDocumentServer('MongoDB', (server) => {
  describeCommands('the MongoDB store of commands', () => {
    const url = new URL(server().url);
    url.pathname = `/commands_${createId().toLowerCase()}`;
    return createMongoStore({ url: url.href, logger: createRecordingLogger() });
  });
});
