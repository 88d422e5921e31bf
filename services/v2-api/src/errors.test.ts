import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ErrorCode } from '@busbar/core';
import { V2_ERRORS } from './errors';

describe('docs/errors.md', () => {
  it('lists every code with the status and title that this API answers it with', () => {
    const rows = readFileSync(join(__dirname, '../../../docs/errors.md'), 'utf8')
      .split('\n')
      .map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')))
      .filter((cells) => /^\d{3}$/.test(cells[2] ?? ''))
      .map(([, code, status, title]) => ({ code, status: Number(status), title }));
    const known = (Object.entries(V2_ERRORS) as [ErrorCode, { status: number; title: string }][])
      .filter(([code]) => code !== 'invalid_configuration')
      .map(([code, { status, title }]) => ({ code, status, title }));
    expect(rows).toEqual(known);
  });
});
