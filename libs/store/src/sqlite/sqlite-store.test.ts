import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createFakeClock, createRecordingLogger } from '@busbar/testing';

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

it('says that a data file is still being opened for as long as it is, and no longer', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'busbar-store-'));
  directories.push(directory);
  const clock = createFakeClock();
  const logger = createRecordingLogger();
  const said = (): number => logger.lines.filter(({ message }) => message.startsWith('the data file is still')).length;
  const store = createSqliteStore({ directory, logger, clock });
  const opening = store.start();
  clock.advance(20_000);
  expect(said()).toBe(2);
  await opening;
  clock.advance(20_000);
  expect(said()).toBe(2);
  await store.stop();
});
