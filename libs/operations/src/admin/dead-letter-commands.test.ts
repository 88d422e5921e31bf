// A replay must not lose an answered message, for any failure or kill in between.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError, systemClock } from '@busbar/core';
import type { DeadLetterStore, StoredDeadLetter } from '@busbar/domain/reports';
import { createDeadLetterStore } from '@busbar/store';
import { createRecordingLogger } from '@busbar/testing';
import { createStorePlatform, type StorePlatform } from '@busbar/runtime';
import type { AdminContext } from './command';
import { runAdminCommand } from './commands';

const LETTER: StoredDeadLetter = {
  deadLetterId: 'one',
  chargerId: 'A',
  action: 'MeterValues',
  reason: 'no such field',
  at: '2026-01-01T00:00:00.000Z',
  report: '{"id":"one"}',
};
const unavailable = () => Promise.reject(new AppError('unavailable', 'no connection'));

let directory: string;
let platform: StorePlatform;
let letters: DeadLetterStore;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'admin-'));
  platform = createStorePlatform(`file:${directory}`, { logger: createRecordingLogger(), clock: systemClock });
  await platform.start();
  letters = createDeadLetterStore(platform.store);
  await letters.insert(LETTER);
});
afterEach(async () => {
  await platform.stop();
  await rm(directory, { recursive: true });
});

function replay(id: string, send: NonNullable<AdminContext['replay']>, deadLetters = letters) {
  const context: AdminContext = { records: platform.records, clock: systemClock, deadLetters, replay: send };
  return runAdminCommand(context, ['dead-letters', 'replay', id]);
}

async function kept(): Promise<[id: string, report: string][]> {
  return (await letters.list(10)).map(({ deadLetterId, report }) => [deadLetterId, report]);
}

const copyOfOne = expect.stringMatching(/^one\.replay-[0-9A-Z]{26}$/) as string;

it('lists a thousand at a time with the total, from either end, or those behind one', async () => {
  const ids = Array.from({ length: 1_100 }, (_each, i) => `n${String(i).padStart(4, '0')}`);
  // A hundred of each timestamp: a page may end within one.
  const at = (i: number) => new Date(Date.parse(LETTER.at) + 1 + Math.floor(i / 100)).toISOString();
  await Promise.all(ids.map((deadLetterId, i) => letters.insert({ ...LETTER, deadLetterId, at: at(i) })));
  const all = [LETTER.deadLetterId, ...ids];
  const list = async (...options: string[]) => {
    const context: AdminContext = { records: platform.records, clock: systemClock, deadLetters: letters };
    const { lines, data } = await runAdminCommand(context, ['dead-letters', 'list', ...options]);
    return { summary: lines.at(-1), found: (data as StoredDeadLetter[]).map(({ deadLetterId }) => deadLetterId) };
  };
  for (const [order, expected] of [['oldest', all] as const, ['newest', all.toReversed()] as const]) {
    const first = await list('--order', order);
    expect(first.found).toEqual(expected.slice(0, 1000));
    const last = String(expected[999]);
    expect(first.summary).toBe(
      `1000 of 1101 dead letters, the ${order} first; those behind them: dead-letters list --order ${order} --after ${last}`,
    );
    const second = await list('--order', order, '--after', last);
    expect(second.found).toEqual(expected.slice(1000));
    expect(second.summary).toBe(`101 of 1101 dead letters, the ${order} first`);
  }
  expect((await list()).found).toEqual(all.slice(0, 1000));
  await expect(list('--order', 'best')).rejects.toThrow('--order is oldest or newest, not best.');
  await expect(list('--after', 'nobody')).rejects.toThrow('There is no dead letter nobody.');
});

it('stores the message until the broker confirms it, and drops it then', async () => {
  let meanwhile: unknown;
  const result = await replay('one', async () => void (meanwhile = await kept()));
  expect(meanwhile).toEqual([[copyOfOne, LETTER.report]]);
  expect(await kept()).toEqual([]);
  expect(result.lines.join('\n')).toContain('record changes only where no later message');
});

it('keeps the message under its id when the broker does not confirm', async () => {
  await expect(replay('one', unavailable)).rejects.toThrow('no connection');
  expect(await kept()).toEqual([['one', LETTER.report]]);
});

it('keeps a message that failed again before the command ended', async () => {
  const again = { ...LETTER, reason: 'still no such field' };
  await replay('one', () => letters.insert(again));
  expect(await letters.find('one')).toMatchObject(again);
  expect(await kept()).toHaveLength(1);
});

it('names the copy that cannot be dropped, which can be replayed and dropped', async () => {
  const noDrop: DeadLetterStore = { ...letters, drop: (id) => (id === 'one' ? letters.drop(id) : unavailable()) };
  const sent: StoredDeadLetter[] = [];
  const send = (letter: StoredDeadLetter) => Promise.resolve(void sent.push(letter));
  await expect(replay('one', send, noDrop)).rejects.toThrow(
    /^one was published to its queue\. The copy one\.replay-[0-9A-Z]{26} could not be dropped: drop it\./,
  );
  const [[copyId] = ['']] = await kept();
  expect(copyId).toEqual(copyOfOne);
  await replay(copyId, send);
  expect(sent.map(({ report }) => report)).toEqual([LETTER.report, LETTER.report]);
  expect(await kept()).toEqual([]);
});

it('leaves a copy and names it when store and broker become unavailable', async () => {
  let isUnavailable = false;
  const failing: DeadLetterStore = {
    ...letters,
    insert: (letter) => (isUnavailable ? unavailable() : letters.insert(letter)),
  };
  const send = () => {
    isUnavailable = true;
    return unavailable();
  };
  await expect(replay('one', send, failing)).rejects.toThrow(
    /^one was not published, and is stored as one\.replay-[0-9A-Z]{26}: replay that one\.$/,
  );
  expect(await kept()).toEqual([[copyOfOne, LETTER.report]]);
});

it('publishes nothing when the copy cannot be stored', async () => {
  const failing: DeadLetterStore = { ...letters, insert: unavailable };
  await expect(replay('one', () => Promise.reject(new Error('sent')), failing)).rejects.toThrow('no connection');
  expect(await kept()).toEqual([['one', LETTER.report]]);
});
