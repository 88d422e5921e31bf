import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@busbar/core';
import { createRecordingLogger } from '@busbar/testing';
import { createSqliteStore } from '../../sqlite/sqlite-store';
import { describeWebhooks } from './webhooks.contract';

const directory = mkdtempSync(join(tmpdir(), 'busbar-webhooks-'));

afterAll(() => {
  rmSync(directory, { recursive: true });
});

describeWebhooks('the SQLite store of webhooks', () =>
  createSqliteStore({
    directory: mkdtempSync(join(directory, 'store-')),
    logger: createRecordingLogger(),
    clock: systemClock,
  }),
);
