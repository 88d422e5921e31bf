import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@busbar/core';
import { eq } from '@busbar/store';
import { createRecordingLogger } from '@busbar/testing';
import { createStorePlatform, dataDirectoryOf, type StorePlatform } from '../platform/platform';
import { settingsCollection } from './store-schema';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'store-setup-'));
});
afterEach(async () => {
  await rm(directory, { recursive: true });
});

async function started(partitions?: number): Promise<StorePlatform> {
  const platform = createStorePlatform(`file:${directory}`, {
    logger: createRecordingLogger(),
    clock: systemClock,
    ...(partitions === undefined ? {} : { partitions }),
  });
  await platform.start();
  return platform;
}

async function stopped(partitions?: number): Promise<void> {
  await (await started(partitions)).stop();
}

it('fixes PARTITIONS at the first start, and refuses another value with the procedure', async () => {
  await stopped(16);
  await stopped(16);
  await expect(started(8)).rejects.toMatchObject({
    code: 'invalid_configuration',
    message: expect.stringMatching(/^PARTITIONS is 8 .* 16: .*partitions set 8"\.$/) as string,
  });
});

it('neither sets nor checks partitions for a process without them', async () => {
  await stopped();
  await stopped(8);
  await stopped();
});

it('accepts the other value after "partitions set"', async () => {
  await stopped(16);
  const platform = await started();
  await platform.setPartitions(8);
  await platform.stop();
  await stopped(8);
});

it('refuses a store of a newer schema version that names no older one', async () => {
  const platform = createStorePlatform(`file:${directory}`, { logger: createRecordingLogger(), clock: systemClock });
  await platform.start();
  await platform.store
    .collection(settingsCollection)
    .update(eq('_id', 'schema'), { set: { version: 99, readableBy: 99 } });
  await platform.stop();
  await expect(started()).rejects.toThrow('written by a newer version (schema 99');
});

it('refuses a directory that another process uses in one sentence', async () => {
  const platform = await started();
  await expect(started()).rejects.toMatchObject({ code: 'invalid_configuration' });
  await platform.stop();
});

it.each([
  ['file:./data', join(process.cwd(), 'data')],
  ['file:/var/lib/busbar', '/var/lib/busbar'],
  ['file:///var/lib/busbar', '/var/lib/busbar'],
  ['file:data with space', join(process.cwd(), 'data with space')],
  ['mongodb://host/db', undefined],
])('takes from %s the directory %s', (url, path) => {
  expect(dataDirectoryOf(url)).toBe(path);
});

it('refuses file: without a directory', () => {
  expect(() => dataDirectoryOf('file:')).toThrow('STORE_URL names no directory');
});
