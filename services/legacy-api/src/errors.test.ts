import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLIENT_ERROR_CODES } from '@busbar/api';
import { legacyCodeOf } from './errors';

describe('docs/errors.md', () => {
  it('lists the v1 (legacy) name of every code', () => {
    const rows = readFileSync(join(__dirname, '../../../docs/errors.md'), 'utf8')
      .split('\n')
      .map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')))
      .filter((cells) => /^\d{3}$/.test(cells[2] ?? ''))
      .map(([, code, , , errorCode]) => [code, errorCode]);
    expect(rows).toEqual(CLIENT_ERROR_CODES.map((code) => [code, legacyCodeOf(code)]));
  });
});
