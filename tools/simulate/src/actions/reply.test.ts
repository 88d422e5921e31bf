import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SUPPORTED_ACTIONS_2 } from '../v2/reply';
import { SUPPORTED_ACTIONS } from './reply';

it.each([...new Set([...SUPPORTED_ACTIONS, ...SUPPORTED_ACTIONS_2])])('has %s explained in README.md', (action) => {
  const rows = readFileSync(join(__dirname, '../../README.md'), 'utf8').match(/^\| [A-Z].*$/gm) ?? [];
  const documented = rows.flatMap((row) => (row.split('|')[1] ?? '').split(',').map((name) => name.trim()));
  expect(documented).toContain(action);
});
