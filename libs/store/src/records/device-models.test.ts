import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@busbar/core';
import { createRecordingLogger } from '@busbar/testing';
import { createSqliteStore } from '../sqlite/sqlite-store';
import { describeDeviceModels } from './device-models.contract';

const directory = mkdtempSync(join(tmpdir(), 'busbar-models-'));

afterAll(() => {
  rmSync(directory, { recursive: true });
});

describeDeviceModels('the SQLite store of device models', () =>
  createSqliteStore({
    directory: mkdtempSync(join(directory, 'store-')),
    logger: createRecordingLogger(),
    clock: systemClock,
  }),
);
