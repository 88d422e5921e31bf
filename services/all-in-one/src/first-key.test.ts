import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRecordingLogger } from '@busbar/testing';
import { keyToShow } from './first-key';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'busbar-key-'));
});
afterEach(() => rm(directory, { recursive: true }));

const show = (apiKey: string | undefined, isTerminal = false) =>
  keyToShow(apiKey, directory, { isTerminal }, createRecordingLogger());

it('names the file of an earlier start while it exists', async () => {
  const file = join(directory, 'api-key');
  expect(await show('bb_secret')).toEqual({ kind: 'file', file });
  expect(await show(undefined)).toEqual({ kind: 'file', file });
  expect(await show(undefined, true)).toEqual({ kind: 'file', file });
  await rm(file);
  expect(await show(undefined)).toEqual({ kind: 'unknown' });
});

it('shows a new key to a terminal, and writes no file', async () => {
  expect(await show('bb_secret', true)).toEqual({ kind: 'created', apiKey: 'bb_secret' });
  expect(await show(undefined)).toEqual({ kind: 'unknown' });
});
