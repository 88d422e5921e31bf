import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
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
