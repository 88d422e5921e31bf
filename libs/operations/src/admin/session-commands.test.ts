import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@busbar/core';
import { noRows } from '@busbar/domain/reports';
import { newSession } from '@busbar/domain/testing';
import { createReportStore } from '@busbar/store';
import { createRecordingLogger } from '@busbar/testing';
import { createStorePlatform, type StorePlatform } from '@busbar/runtime';
import { runAdminCommand } from './commands';

const SESSION = newSession();

let directory: string;
let platform: StorePlatform;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'admin-'));
  platform = createStorePlatform(`file:${directory}`, { logger: createRecordingLogger(), clock: systemClock });
  await platform.start();
  await createReportStore(platform.store).write({ ...noRows(), sessions: [SESSION] }, []);
});
afterEach(async () => {
  await platform.stop();
  await rm(directory, { recursive: true });
});

const run = (...line: string[]) => runAdminCommand({ records: platform.records, clock: systemClock }, line);

it('ends a session of any client permanently', async () => {
  const { lines, data } = await run('session', 'end', '7', '--reason', 'dismantled');
  const [stored] = await platform.records.sessions.findByIds([SESSION.sessionId]);
  expect(stored).toMatchObject({ state: 'ended', endedBy: 'operator', stopReason: 'dismantled', meterStop: null });
  expect(lines).toEqual([`7  ACME_1  ended at ${stored?.endTime ?? ''}`]);
  expect(data).toMatchObject({ transactionId: 7, clientId: 'client', endedBy: 'operator' });
  await expect(run('session', 'end', '7')).rejects.toMatchObject({ code: 'conflict' });
});

it.each([
  ['8', 'There is no session 8.'],
  ['seven', 'A transaction id is a whole number from 1, not seven.'],
])('refuses the transaction %s with a sentence', async (transactionId, message) => {
  await expect(run('session', 'end', transactionId)).rejects.toThrow(message);
});
