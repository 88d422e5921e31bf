import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@busbar/core';
import { createRecordingLogger } from '@busbar/testing';
import { createRecordingStore } from '../../recording-store.contract';
import { createSqliteStore } from '../../sqlite/sqlite-store';
import { commandAt, describeCommands } from './commands.contract';
import { createRecords } from '../create-records';

const directory = mkdtempSync(join(tmpdir(), 'busbar-commands-'));

afterAll(() => {
  rmSync(directory, { recursive: true });
});

describeCommands('the SQLite store of commands', () =>
  createSqliteStore({
    directory: mkdtempSync(join(directory, 'store-')),
    logger: createRecordingLogger(),
    clock: systemClock,
  }),
);

it('queries the oldest records of a charger with one in 32 commands', async () => {
  const { store, queries } = createRecordingStore();
  const { commands } = createRecords(store);
  const digits = Array.from('0123456789ABCDEFGHJKMNPQRSTVWXYZ');
  for (const digit of digits) await commands.begin(commandAt(1, { commandId: `01ARZ3NDEKTSV4RRFFQ69G5FA${digit}` }), 2);
  expect(queries).toHaveLength(1);
});
