import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@busbar/core';
import { createRecordingLogger } from '@busbar/testing';
import { createSqliteStore } from '../../sqlite/sqlite-store';
import { describeTransactions } from './transactions.contract';

const directory = mkdtempSync(join(tmpdir(), 'busbar-transactions-'));

afterAll(() => {
  rmSync(directory, { recursive: true });
});

describeTransactions('the SQLite store of transactions', () =>
  createSqliteStore({
    directory: mkdtempSync(join(directory, 'store-')),
    logger: createRecordingLogger(),
    clock: systemClock,
  }),
);
