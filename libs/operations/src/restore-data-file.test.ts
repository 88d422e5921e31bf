import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '@busbar/core';
import { createClient } from '@busbar/domain/clients';
import { createReportStore } from '@busbar/store';
import { createRecordingLogger } from '@busbar/testing';
import { restoreDataFile } from './restore-data-file';
import { eachWithDataFolder, type DataFolder } from './testing/data-folder';

const deps = { logger: createRecordingLogger(), clock: systemClock };
let directory: string;
let backup: string;
let withStore: DataFolder['withStore'];
eachWithDataFolder(deps, (its) => ({ directory, backup, withStore } = its));

const add = (name: string) =>
  withStore(({ records }) => createClient({ ...records, clock: systemClock }, { name }).then(() => undefined));
const save = () => withStore(async (platform) => platform.backup?.(backup));
const names = () => withStore(async ({ records }) => (await records.clients.list()).map(({ name }) => name));

it('restores the backup, and keeps the replaced file beside it', async () => {
  await add('before');
  await save();
  await add('after');
  await restoreDataFile(directory, backup, deps);
  expect(await names()).toEqual(['before']);
  expect(await readdir(directory)).toContain('busbar.db.before-restore');
});

it('assigns no number again that was assigned after the backup', async () => {
  await withStore(async ({ store }) => {
    const reports = createReportStore(store);
    for (let i = 0; i < 40; i += 1) await reports.nextOrder('ACME_1', 0);
    await reports.takeTransactionIds(40);
  });
  await save();
  await restoreDataFile(directory, backup, deps);
  await withStore(async ({ store }) => {
    const reports = createReportStore(store);
    expect(await reports.nextOrder('ACME_1', 0)).toBe(1_000_041);
    expect(await reports.takeTransactionIds(1)).toBe(1_000_041);
  });
});

it('restores a backup where there is no directory', async () => {
  await add('before');
  await save();
  await rm(directory, { recursive: true });
  await restoreDataFile(directory, backup, deps);
  expect(await names()).toEqual(['before']);
});

it.each([
  ['missing', undefined, 'cannot be read (ENOENT)'],
  ['no database', 'text', 'it is not a backup'],
  ['a broken database', `SQLite format 3\0${'x'.repeat(5000)}`, 'the data is unchanged'],
])('changes nothing with a file that is %s', async (_what, content, reason) => {
  await add('before');
  if (content !== undefined) await writeFile(backup, content);
  await expect(restoreDataFile(directory, backup, deps)).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining(reason) as string,
  });
  expect(await names()).toEqual(['before']);
});

it('restores nothing while a process has the directory', async () => {
  await add('before');
  await save();
  await withStore(async ({ records }) => {
    await expect(restoreDataFile(directory, backup, deps)).rejects.toMatchObject({ code: 'invalid_configuration' });
    expect(await records.clients.list()).toHaveLength(1);
  });
});

describe('a restore that was killed before the new file was in place', () => {
  const dataFile = () => join(directory, 'busbar.db');
  const keptFile = () => `${dataFile()}.before-restore`;

  beforeEach(async () => {
    await add('before');
    await save();
    await add('after');
    await rename(dataFile(), keptFile());
  });

  it('keeps a store from starting empty, and the error names both files', async () => {
    await expect(names()).rejects.toMatchObject({
      code: 'invalid_configuration',
      message: expect.stringContaining(`${dataFile()} is missing and ${keptFile()} exists`) as string,
    });
    expect(await readdir(directory)).not.toContain('busbar.db');
    await rename(keptFile(), dataFile());
    expect(await names()).toEqual(['before', 'after']);
  });

  it('is completed by the next one, which keeps the file that the first moved', async () => {
    await restoreDataFile(directory, backup, deps);
    expect(await names()).toEqual(['before']);
    await rename(keptFile(), dataFile());
    expect(await names()).toEqual(['before', 'after']);
  });
});

it('changes nothing with a backup that cannot be copied, and leaves no file', async () => {
  await add('before');
  await save();
  await add('after');
  await mkdir(join(directory, 'busbar.db.before-restore-wal'));
  await expect(restoreDataFile(directory, backup, deps)).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining('the data is unchanged') as string,
  });
  expect(await readdir(directory)).not.toContain('busbar.db.incoming');
  expect(await names()).toEqual(['before', 'after']);
});
