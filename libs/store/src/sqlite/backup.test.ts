import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { copyDatabase } from './backup';
import type { Calls } from './calls';
import { openDatabase } from './engine/database';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'busbar-backup-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function recorder(target: string) {
  const log: string[] = [];
  const read: Calls['read'] = ({ op }) => {
    log.push(`${op}, ${existsSync(`${target}.unfinished`) ? 'copied' : 'not copied'}`);
    return Promise.resolve(undefined);
  };
  return { log, calls: { read } };
}

it('suspends writes to the data file from the checkpoint until the copy is complete', async () => {
  const [source, target] = [join(directory, 'busbar.db'), join(directory, 'copy.db')];
  openDatabase(source).close();
  const { log, calls } = recorder(target);
  await copyDatabase(calls, source, target);
  expect(log).toEqual(['hold, not copied', 'release, copied']);
  expect(readdirSync(directory).sort()).toEqual(['busbar.db', 'copy.db', 'copy.db.sha256']);
});

it('removes a failed copy and resumes writes to the data file', async () => {
  const target = join(directory, 'copy.db');
  const { log, calls } = recorder(target);
  const copying = copyDatabase(calls, join(directory, 'missing.db'), target);
  await expect(copying).rejects.toMatchObject({ code: 'unavailable' });
  expect(log.at(-1)).toBe('release, not copied');
  expect(readdirSync(directory)).toEqual([]);
});

it('rejects a backup onto the data file itself with invalid_request', async () => {
  const file = join(directory, 'busbar.db');
  const { log, calls } = recorder(file);
  const copying = copyDatabase(calls, file, join(directory, '.', 'busbar.db'));
  await expect(copying).rejects.toMatchObject({ code: 'invalid_request' });
  expect(log).toEqual([]);
});
