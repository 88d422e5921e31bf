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
describeChanges('a change in the SQLite store', harness);

it('logs that a data file is still being opened, until it is open', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'busbar-store-'));
  directories.push(directory);
  const clock = createFakeClock();
  const logger = createRecordingLogger();
  const logged = (): number =>
    logger.lines.filter(({ message }) => message.startsWith('the data file is still')).length;
  const store = createSqliteStore({ directory, logger, clock });
  const opening = store.start();
  clock.advance(20_000);
  expect(logged()).toBe(2);
  await opening;
  clock.advance(20_000);
  expect(logged()).toBe(2);
  await store.stop();
});
