import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@busbar/core';
import { createRecordingLogger } from '@busbar/testing';
import { createSqliteStore } from '../../sqlite/sqlite-store';
import { describeDeletedChargers } from './deleted-chargers.contract';

const directory = mkdtempSync(join(tmpdir(), 'busbar-deleted-'));

afterAll(() => {
  rmSync(directory, { recursive: true });
});

describeDeletedChargers('the SQLite store of deleted chargers', () =>
  createSqliteStore({
    directory: mkdtempSync(join(directory, 'store-')),
    logger: createRecordingLogger(),
    clock: systemClock,
  }),
);
