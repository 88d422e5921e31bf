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

test('the first start fixes PARTITIONS, and another value is refused with the procedure', async () => {
  await stopped(16);
  await stopped(16);
  await expect(started(8)).rejects.toMatchObject({
    code: 'invalid_configuration',
    message: expect.stringMatching(/^PARTITIONS is 8 .* 16: .*partitions set 8"\.$/) as string,
  });
});

test('a process without partitions neither sets nor checks them', async () => {
  await stopped();
  await stopped(8);
  await stopped();
});

test('after "partitions set" the other value is accepted', async () => {
  await stopped(16);
  const platform = await started();
  await platform.setPartitions(8);
  await platform.stop();
  await stopped(8);
});

test('a store of a newer schema version that names no older one is refused', async () => {
  const platform = createStorePlatform(`file:${directory}`, { logger: createRecordingLogger(), clock: systemClock });
  await platform.start();
  await platform.store
    .collection(settingsCollection)
    .update(eq('_id', 'schema'), { set: { version: 99, readableBy: 99 } });
  await platform.stop();
  await expect(started()).rejects.toThrow('written by a newer version (schema 99');
});

test('a directory that another process uses is refused in one sentence', async () => {
  const platform = await started();
  await expect(started()).rejects.toMatchObject({ code: 'invalid_configuration' });
  await platform.stop();
});

test.each([
  ['file:./data', join(process.cwd(), 'data')],
  ['file:/var/lib/busbar', '/var/lib/busbar'],
  ['file:///var/lib/busbar', '/var/lib/busbar'],
  ['file:data with space', join(process.cwd(), 'data with space')],
  ['mongodb://host/db', undefined],
])('%s names the directory %s', (url, path) => {
  expect(dataDirectoryOf(url)).toBe(path);
});

test('file: without a directory is refused', () => {
  expect(() => dataDirectoryOf('file:')).toThrow('STORE_URL names no directory');
});
