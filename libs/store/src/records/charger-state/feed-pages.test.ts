import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@busbar/core';
import { createRecordingLogger } from '@busbar/testing';
import { createSqliteStore } from '../../sqlite/sqlite-store';
import { describeFeedPages } from './feed-pages.contract';

const directory = mkdtempSync(join(tmpdir(), 'busbar-feed-'));

afterAll(() => {
  rmSync(directory, { recursive: true });
});

describeFeedPages('the SQLite store of the feed', () =>
  createSqliteStore({
    directory: mkdtempSync(join(directory, 'store-')),
    logger: createRecordingLogger(),
    clock: systemClock,
  }),
);
