import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ErrorCode } from '@busbar/core';
import { LEGACY_ERRORS } from './errors';

describe('docs/errors.md', () => {
  it('lists for every code what clients of this API know it as', () => {
    const rows = readFileSync(join(__dirname, '../../../docs/errors.md'), 'utf8')
      .split('\n')
      .map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')))
      .filter((cells) => /^\d{3}$/.test(cells[2] ?? ''))
      .map(([, code, status, , errorCode]) => ({ code, status: Number(status), errorCode }));
    const known = (Object.entries(LEGACY_ERRORS) as [ErrorCode, { status: number; errorCode: string }][])
      .filter(([code]) => code !== 'invalid_configuration')
      .map(([code, { status, errorCode }]) => ({ code, status, errorCode }));
    expect(rows).toEqual(known);
  });
});
