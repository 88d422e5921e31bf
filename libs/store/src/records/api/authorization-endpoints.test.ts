import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@busbar/core';
import { createRecordingLogger } from '@busbar/testing';
import { createSqliteStore } from '../../sqlite/sqlite-store';
import { describeAuthorizationEndpoints } from './authorization-endpoints.contract';

const directory = mkdtempSync(join(tmpdir(), 'busbar-authorization-'));

afterAll(() => {
  rmSync(directory, { recursive: true });
});

describeAuthorizationEndpoints('the SQLite store of authorization endpoints', () =>
  createSqliteStore({
    directory: mkdtempSync(join(directory, 'store-')),
    logger: createRecordingLogger(),
    clock: systemClock,
  }),
);
