import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ErrorCode } from '@busbar/core';
import { V2_ERRORS } from './errors';

describe('docs/errors.md', () => {
  const document = readFileSync(join(__dirname, '../../../docs/errors.md'), 'utf8');

  it('lists every code with the status and title that this API answers it with', () => {
    const rows = document
      .split('\n')
      .map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')))
      .filter((cells) => /^\d{3}$/.test(cells[2] ?? ''))
      .map(([, code, status, title]) => ({ code, status: Number(status), title }));
    const known = (Object.entries(V2_ERRORS) as [ErrorCode, { status: number; title: string }][])
      .filter(([code]) => code !== 'invalid_configuration')
      .map(([code, { status, title }]) => ({ code, status, title }));
    expect(rows).toEqual(known);
  });

  it('tells what is refused first in the order of the contract', () => {
    const order = /^Of several things .*$/m.exec(document)?.[0] ?? '';
    const statuses = [...order.matchAll(/\((\d{3})\)/g)].map(([, status]) => Number(status));
    expect(statuses).toEqual([404, 405, 401, 403, 429, 413, 415, 400, 404, 409, 412]);
  });
});
