import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { actions21 } from '../v21/actions';

const ROOT = join(__dirname, '../../../..');

it('keeps docs/ocpp-2.md up to date with the test titles (npm run documents)', () => {
  expect(execFileSync(process.execPath, [join(ROOT, 'tools/ocpp2/document.mjs')], { encoding: 'utf8' })).toBe('');
});

it('lists every message in docs/ocpp-2.md', () => {
  const document = readFileSync(join(ROOT, 'docs/ocpp-2.md'), 'utf8');
  for (const name of actions21.keys()) expect(document).toMatch(new RegExp(`^\\| ${name} +\\|`, 'm'));
});

it('173. has for each certification case of docs/ocpp-2.md a test, or the reason why there is none', () => {
  const document = readFileSync(join(ROOT, 'docs/ocpp-2.md'), 'utf8');
  const folder = join(ROOT, 'services/all-in-one/src');
  const files = readdirSync(folder).filter((name) => /^certification.*\.slow\.test\.ts$/.test(name));
  const sources = files.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
  const rows = document.slice(document.indexOf('## Certification cases')).match(/^\| [A-Z]\. .*$/gm) ?? [];
  expect(rows.length).toBeGreaterThan(10);
  for (const row of rows) {
    const [, block, tested = '', missing = ''] = row.split('|').map((part) => part.trim());
    const ids = tested.split(', ');
    expect([block, ids.filter((id) => !sources.includes(id))]).toEqual([block, []]);
    for (const reason of missing === '' ? [] : missing.split('. ')) expect(reason).toMatch(/^TC_[A-Z]_\d\d: \w.*/);
  }
});
