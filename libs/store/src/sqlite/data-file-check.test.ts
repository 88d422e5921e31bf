import { mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkInThread } from './data-file-check';
import { openDatabase } from './engine/database';
import { findDamage } from './engine/find-damage';

let directory: string;
let file: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'busbar-check-'));
  // Each of these characters has a meaning in a URL.
  file = join(directory, 'a?b#c %20.db');
  const database = openDatabase(file);
  database.run('CREATE TABLE things (_row INTEGER PRIMARY KEY, doc NOT NULL)');
  database.run(`INSERT INTO things (doc) VALUES ('{"a":1}')`);
  database.close();
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

it('finds no damage in an intact file, and writes no file beside it', () => {
  expect(findDamage(file, 'quick')).toBeUndefined();
  expect(findDamage(file, 'full')).toBeUndefined();
  expect(readdirSync(directory)).toEqual(['a?b#c %20.db']);
});

it('reports a document that cannot be parsed in a full check', () => {
  const database = openDatabase(file);
  database.run(`UPDATE things SET doc = '{"a":1'`);
  database.close();
  expect(findDamage(file, 'quick')).toBeUndefined();
  expect(findDamage(file, 'full')).toBe('1 documents of things cannot be parsed');
});

it('reports a truncated file, a file that is not a database, and a missing file', () => {
  truncateSync(file, 8_192);
  expect(findDamage(file, 'quick')).toEqual(expect.any(String));
  writeFileSync(file, 'no database'.repeat(1_000));
  expect(findDamage(file, 'quick')).toMatch(/not a database/);
  expect(findDamage(join(directory, 'missing.db'), 'quick')).toMatch(/unable to open/);
});

it('reports the same damage from a separate thread', async () => {
  expect(await checkInThread({ file, depth: 'full' })).toBeUndefined();
  writeFileSync(file, 'no database'.repeat(1_000));
  expect(await checkInThread({ file, depth: 'full' })).toMatch(/not a database/);
});
