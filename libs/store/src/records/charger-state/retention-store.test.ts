import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@busbar/core';
import { createRecordingLogger } from '@busbar/testing';
import { createSqliteStore } from '../../sqlite/sqlite-store';
import { describeRetentionStore } from './retention-store.contract';

const directory = mkdtempSync(join(tmpdir(), 'busbar-retention-'));

afterAll(() => {
  rmSync(directory, { recursive: true });
});

describeRetentionStore('the retention store on SQLite', () =>
  createSqliteStore({
    directory: mkdtempSync(join(directory, 'store-')),
    logger: createRecordingLogger(),
    clock: systemClock,
  }),
);
