import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { actions16 } from './actions';

const ROOT = join(__dirname, '../../../..');

it('keeps docs/ocpp-1.6.md up to date with the test titles (npm run documents)', () => {
  expect(execFileSync(process.execPath, [join(ROOT, 'tools/ocpp16/document.mjs')], { encoding: 'utf8' })).toBe('');
});

it('lists every message in docs/ocpp-1.6.md', () => {
  const document = readFileSync(join(ROOT, 'docs/ocpp-1.6.md'), 'utf8');
  for (const name of actions16.keys()) expect(document).toMatch(new RegExp(`^\\| ${name} +\\|`, 'm'));
});
