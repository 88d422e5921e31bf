import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@busbar/core';
import { createRecordingLogger } from '@busbar/testing';
import { createSqliteStore } from '../sqlite/sqlite-store';
import { describeCommands } from './commands.contract';

const directory = mkdtempSync(join(tmpdir(), 'busbar-commands-'));

afterAll(() => {
  rmSync(directory, { recursive: true });
});

describeCommands('records of commands in the SQLite store', () =>
  createSqliteStore({
    directory: mkdtempSync(join(directory, 'store-')),
    logger: createRecordingLogger(),
    clock: systemClock,
  }),
);
