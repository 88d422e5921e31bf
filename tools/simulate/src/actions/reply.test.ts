import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SUPPORTED_ACTIONS } from './reply';

test.each(SUPPORTED_ACTIONS)('README.md says what %s does', (action) => {
  const rows = readFileSync(join(__dirname, '../../README.md'), 'utf8').match(/^\| [A-Z].*$/gm) ?? [];
  const documented = rows.flatMap((row) => (row.split('|')[1] ?? '').split(',').map((name) => name.trim()));
  expect(documented).toContain(action);
});
