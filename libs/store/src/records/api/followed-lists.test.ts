import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@busbar/core';
import { createRecordingLogger } from '@busbar/testing';
import { createSqliteStore } from '../../sqlite/sqlite-store';
import { describeFollowedLists } from './followed-lists.contract';

const directory = mkdtempSync(join(tmpdir(), 'busbar-followed-'));

afterAll(() => {
  rmSync(directory, { recursive: true });
});

describeFollowedLists('a list followed by cursor in the SQLite store', () =>
  createSqliteStore({
    directory: mkdtempSync(join(directory, 'store-')),
    logger: createRecordingLogger(),
    clock: systemClock,
  }),
);
