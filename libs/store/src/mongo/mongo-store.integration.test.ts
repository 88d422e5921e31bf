import { createRecordingLogger, describeWithDocumentServer } from '@busbar/testing';

import { describeChanges } from '../store-changes.contract';
import { describeStore } from '../store.contract';
import type { StoreHarness } from '../store-harness.contract';
import { createMongoStore } from './mongo-store';

describeWithDocumentServer('MongoDB', (server) => {
  const harness = (): StoreHarness => ({
    create: () => createMongoStore({ url: server().url, logger: createRecordingLogger() }),
  });

  describeStore('the MongoDB store', harness);
  describeChanges('a change in the MongoDB store', harness);
});
