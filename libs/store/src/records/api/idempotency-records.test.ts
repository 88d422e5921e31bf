import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@busbar/core';
import { createRecordingLogger } from '@busbar/testing';
import { createSqliteStore } from '../../sqlite/sqlite-store';
import { describeIdempotencyRecords } from './idempotency-records.contract';

const directory = mkdtempSync(join(tmpdir(), 'busbar-answers-'));

afterAll(() => {
  rmSync(directory, { recursive: true });
});

describeIdempotencyRecords('the SQLite store of idempotency records', () =>
  createSqliteStore({ directory, logger: createRecordingLogger(), clock: systemClock }),
);
