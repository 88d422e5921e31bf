import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@busbar/core';
import { createSqliteStore } from '@busbar/store';
import { createRecordingLogger } from '@busbar/testing';
import { describeSettling } from './settling.contract';

const directory = mkdtempSync(join(tmpdir(), 'busbar-settling-'));

afterAll(() => {
  rmSync(directory, { recursive: true });
});

describeSettling('settling on SQLite', () =>
  createSqliteStore({
    directory: mkdtempSync(join(directory, 'store-')),
    logger: createRecordingLogger(),
    clock: systemClock,
  }),
);
