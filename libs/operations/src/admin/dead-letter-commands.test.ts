// A replay must not lose a message that a charger was answered, whatever fails and whoever is killed in between.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError, systemClock } from '@busbar/core';
import type { DeadLetterStore, StoredDeadLetter } from '@busbar/domain';
import { createDeadLetterStore } from '@busbar/store';
import { createRecordingLogger } from '@busbar/testing';
import { createStorePlatform, type StorePlatform } from '@busbar/runtime';
import type { AdminContext } from './command';
import { runAdminCommand } from './commands';

const LETTER: StoredDeadLetter = {
  ...{ deadLetterId: 'one', chargerId: 'A', action: 'MeterValues', reason: 'no such field' },
  ...{ at: '2026-01-01T00:00:00.000Z', report: '{"id":"one"}' },
};
const away = () => Promise.reject(new AppError('unavailable', 'it is away'));

let directory: string;
let platform: StorePlatform;
let letters: DeadLetterStore;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'admin-'));
  platform = createStorePlatform(`file:${directory}`, { logger: createRecordingLogger(), clock: systemClock });
  await platform.start();
  letters = createDeadLetterStore(platform.store);
  await letters.keep(LETTER);
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

it('lists a thousand at a time with how many there are, from either end, and goes on behind one', async () => {
  const ids = Array.from({ length: 1_100 }, (_each, i) => `n${String(i).padStart(4, '0')}`);
  // A hundred of each timestamp: a page may end within one.
  const at = (i: number) => new Date(Date.parse(LETTER.at) + 1 + Math.floor(i / 100)).toISOString();
  await Promise.all(ids.map((deadLetterId, i) => letters.keep({ ...LETTER, deadLetterId, at: at(i) })));
  const all = [LETTER.deadLetterId, ...ids];
  const list = async (...options: string[]) => {
    const context: AdminContext = { records: platform.records, clock: systemClock, deadLetters: letters };
    const { lines, data } = await runAdminCommand(context, ['dead-letters', 'list', ...options]);
    return { said: lines.at(-1), found: (data as StoredDeadLetter[]).map(({ deadLetterId }) => deadLetterId) };
  };
  for (const [order, expected] of [['oldest', all] as const, ['newest', all.toReversed()] as const]) {
    const first = await list('--order', order);
    expect(first.found).toEqual(expected.slice(0, 1000));
    const last = String(expected[999]);
    expect(first.said).toBe(
      `1000 of 1101 dead letters, the ${order} first; those behind them: dead-letters list --order ${order} --after ${last}`,
    );
    const second = await list('--order', order, '--after', last);
    expect(second.found).toEqual(expected.slice(1000));
    expect(second.said).toBe(`101 of 1101 dead letters, the ${order} first`);
  }
  expect((await list()).found).toEqual(all.slice(0, 1000));
  await expect(list('--order', 'best')).rejects.toThrow('--order is oldest or newest, not best.');
  await expect(list('--after', 'nobody')).rejects.toThrow('There is no dead letter nobody.');
});

it('keeps the message until the broker has confirmed it, and forgets it then', async () => {
  let meanwhile: unknown;
  const result = await replay('one', async () => void (meanwhile = await kept()));
  expect(meanwhile).toEqual([[copyOfOne, LETTER.report]]);
  expect(await kept()).toEqual([]);
  expect(result.lines.join('\n')).toContain('record follows it only where no later message');
});

it('keeps under its id what the broker did not take', async () => {
  await expect(replay('one', away)).rejects.toThrow('it is away');
  expect(await kept()).toEqual([['one', LETTER.report]]);
});

it('keeps what failed again before the command ended', async () => {
  const again = { ...LETTER, reason: 'still no such field' };
  await replay('one', () => letters.keep(again));
  expect(await letters.find('one')).toMatchObject(again);
  expect(await kept()).toHaveLength(1);
});

it('tells what is left over when the copy cannot be dropped, and that one can be replayed and dropped', async () => {
  const noDrop: DeadLetterStore = { ...letters, drop: (id) => (id === 'one' ? letters.drop(id) : away()) };
  const sent: StoredDeadLetter[] = [];
  const send = (letter: StoredDeadLetter) => Promise.resolve(void sent.push(letter));
  await expect(replay('one', send, noDrop)).rejects.toThrow(
    /^one was put back into its queue\. The copy one\.replay-[0-9A-Z]{26} could not be dropped: drop it\./,
  );
  const [[copyId] = ['']] = await kept();
  expect(copyId).toEqual(copyOfOne);
  await replay(copyId, send);
  expect(sent.map(({ report }) => report)).toEqual([LETTER.report, LETTER.report]);
  expect(await kept()).toEqual([]);
});

it('leaves a copy and says so when the store goes away together with the broker', async () => {
  let isUnavailable = false;
  const failing: DeadLetterStore = { ...letters, keep: (letter) => (isUnavailable ? away() : letters.keep(letter)) };
  const send = () => {
    isUnavailable = true;
    return away();
  };
  await expect(replay('one', send, failing)).rejects.toThrow(
    /^one was not put back into its queue, and is kept as one\.replay-[0-9A-Z]{26}: replay that one\.$/,
  );
  expect(await kept()).toEqual([[copyOfOne, LETTER.report]]);
});

it('a store that takes no copy has the letter stay where it is, and nothing is sent', async () => {
  const failing: DeadLetterStore = { ...letters, keep: away };
  await expect(replay('one', () => Promise.reject(new Error('sent')), failing)).rejects.toThrow('it is away');
  expect(await kept()).toEqual([['one', LETTER.report]]);
});
