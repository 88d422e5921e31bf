import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@busbar/core';
import { createRecordingLogger } from '@busbar/testing';
import { createSqliteStore } from '../sqlite/sqlite-store';
import { describeConnectionHistory } from './connection-history.contract';

const directory = mkdtempSync(join(tmpdir(), 'busbar-connections-'));

afterAll(() => {
  rmSync(directory, { recursive: true });
});

describeConnectionHistory('the SQLite store of the history of connections', () =>
  createSqliteStore({
    directory: mkdtempSync(join(directory, 'store-')),
    logger: createRecordingLogger(),
    clock: systemClock,
  }),
);
