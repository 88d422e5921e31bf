import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@busbar/core';
import { createRecordingLogger } from '@busbar/testing';
import { createSqliteStore } from '../../sqlite/sqlite-store';
import { describeConsoleSessions } from './console-sessions.contract';

const directory = mkdtempSync(join(tmpdir(), 'busbar-console-sessions-'));

afterAll(() => {
  rmSync(directory, { recursive: true });
});

describeConsoleSessions('the SQLite store of sessions of the console', () =>
  createSqliteStore({ directory, logger: createRecordingLogger(), clock: systemClock }),
);
