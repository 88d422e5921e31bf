import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeDataDirectory } from './data-directory';

const folder = mkdtempSync(join(tmpdir(), 'busbar-directory-'));
afterAll(() => rmSync(folder, { recursive: true }));

const modeOf = (path: string): number => statSync(path).mode & 0o777;

it('makes a directory and its missing parents for this user alone, and accepts one that is there', async () => {
  const directory = join(folder, 'a/b');
  await Promise.all([makeDataDirectory(directory), makeDataDirectory(directory)]);
  await makeDataDirectory(directory);
  expect([modeOf(directory), modeOf(join(folder, 'a'))]).toEqual([0o700, 0o700]);
});

it('rejects where a file has the name', async () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  await expect(makeDataDirectory(file)).rejects.toMatchObject({ code: 'EEXIST' });
  await expect(makeDataDirectory(join(file, 'below'))).rejects.toMatchObject({ code: 'ENOTDIR' });
});

it('rejects where a file system has no room for new names', async () => {
  await expect(makeDataDirectory('/proc/busbar/data')).rejects.toMatchObject({ code: 'ENOENT' });
});
