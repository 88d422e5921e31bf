import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@busbar/core';
import { createRecordingLogger } from '@busbar/testing';
import { createSqliteStore } from '../../sqlite/sqlite-store';
import { describeConnectionAttempts } from './connection-attempts.contract';

const directory = mkdtempSync(join(tmpdir(), 'busbar-attempts-'));

afterAll(() => {
  rmSync(directory, { recursive: true });
});

describeConnectionAttempts('the SQLite store of rejected connection attempts', () =>
  createSqliteStore({
    directory: mkdtempSync(join(directory, 'store-')),
    logger: createRecordingLogger(),
    clock: systemClock,
  }),
);
