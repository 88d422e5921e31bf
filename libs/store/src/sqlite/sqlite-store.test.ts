import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createRecordingLogger } from '@busbar/testing';

import { describeChanges } from '../store-changes.contract';
import { describeStore } from '../store.contract';
import type { StoreHarness } from '../store-harness.contract';
import { createSqliteStore } from './sqlite-store';

const directories: string[] = [];

function harness(): StoreHarness {
  const directory = mkdtempSync(join(tmpdir(), 'busbar-store-'));
  directories.push(directory);
  return { create: () => createSqliteStore({ directory, logger: createRecordingLogger() }) };
}

afterAll(() => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
});

describeStore('the SQLite store', harness);
describeChanges('changes in the SQLite store', harness);
