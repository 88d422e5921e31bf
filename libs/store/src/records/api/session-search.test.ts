import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@busbar/core';
import { createRecordingLogger } from '@busbar/testing';
import { createSqliteStore } from '../../sqlite/sqlite-store';
import { describeSessionSearch } from './session-search.contract';

const directory = mkdtempSync(join(tmpdir(), 'busbar-sessions-'));

afterAll(() => {
  rmSync(directory, { recursive: true });
});

describeSessionSearch('a search for transactions in the SQLite store', () =>
  createSqliteStore({
    directory: mkdtempSync(join(directory, 'store-')),
    logger: createRecordingLogger(),
    clock: systemClock,
  }),
);
