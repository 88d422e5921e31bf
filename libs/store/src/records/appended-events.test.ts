import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@busbar/core';
import { createRecordingLogger } from '@busbar/testing';
import { createSqliteStore } from '../sqlite/sqlite-store';
import { describeAppendedEvents } from './appended-events.contract';

const directory = mkdtempSync(join(tmpdir(), 'busbar-appended-'));

afterAll(() => {
  rmSync(directory, { recursive: true });
});

describeAppendedEvents('the SQLite store with appended events', () =>
  createSqliteStore({
    directory: mkdtempSync(join(directory, 'store-')),
    logger: createRecordingLogger(),
    clock: systemClock,
  }),
);
