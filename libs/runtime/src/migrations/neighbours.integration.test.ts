import { createId } from '@busbar/core';
import { createMongoStore } from '@busbar/store';
import { createRecordingLogger, describeWithDocumentServer } from '@busbar/testing';
import { describeNeighbours } from './neighbours.contract';

describeWithDocumentServer('MongoDB', (server) => {
  describeNeighbours('programs of neighbouring versions on MongoDB', () => {
    const url = new URL(server().url);
    url.pathname = `/neighbours_${createId().toLowerCase()}`;
    return createMongoStore({ url: url.href, logger: createRecordingLogger() });
  });
});
