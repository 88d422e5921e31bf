import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@busbar/core';
import { createRecordingLogger } from '@busbar/testing';
import { createSqliteStore } from '../../sqlite/sqlite-store';
import { describeCounters } from './raise-counters.contract';

const directory = mkdtempSync(join(tmpdir(), 'busbar-counters-'));

afterAll(() => {
  rmSync(directory, { recursive: true });
});

describeCounters('the SQLite store of counters', () =>
  createSqliteStore({
    directory: mkdtempSync(join(directory, 'store-')),
    logger: createRecordingLogger(),
    clock: systemClock,
  }),
);
