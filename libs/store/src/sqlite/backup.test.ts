import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { copyDatabase } from './backup';
import type { Database } from './database';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'busbar-backup-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function recorder(target: string) {
  const log: string[] = [];
  const note = (what: string): number => log.push(`${what}, ${existsSync(target) ? 'copied' : 'not copied'}`);
  const database: Pick<Database, 'checkpoint' | 'automaticCheckpoints'> = {
    checkpoint: () => note('checkpoint'),
    automaticCheckpoints: (on) => note(on ? 'on' : 'off'),
  };
  return { log, database: database as Database };
}

test('the data file stands still from before the checkpoint until the copy is done', async () => {
  const [source, target] = [join(directory, 'busbar.db'), join(directory, 'copy.db')];
  writeFileSync(source, 'data');
  const { log, database } = recorder(target);
  await copyDatabase(database, source, target);
  expect(log).toEqual(['off, not copied', 'checkpoint, not copied', 'on, copied']);
});

test('a copy that fails leaves nothing behind and lets the data file go on', async () => {
  const target = join(directory, 'copy.db');
  const { log, database } = recorder(target);
  const copying = copyDatabase(database, join(directory, 'missing.db'), target);
  await expect(copying).rejects.toMatchObject({ code: 'unavailable' });
  expect(log.at(-1)).toBe('on, not copied');
  expect(readdirSync(directory)).toEqual([]);
});

test('a backup onto the data file itself is refused', async () => {
  const file = join(directory, 'busbar.db');
  const { log, database } = recorder(file);
  const copying = copyDatabase(database, file, join(directory, '.', 'busbar.db'));
  await expect(copying).rejects.toMatchObject({ code: 'invalid_request' });
  expect(log).toEqual([]);
});
