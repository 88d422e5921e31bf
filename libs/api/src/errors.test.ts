import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { API_ERRORS, CLIENT_ERROR_CODES } from './errors';

describe('docs/errors.md', () => {
  const document = readFileSync(join(__dirname, '../../../docs/errors.md'), 'utf8');

  it('lists every code with its status and title', () => {
    const rows = document
      .split('\n')
      .map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')))
      .filter((cells) => /^\d{3}$/.test(cells[2] ?? ''))
      .map(([, code, status, title]) => ({ code, status: Number(status), title }));
    expect(rows).toEqual(CLIENT_ERROR_CODES.map((code) => ({ code, ...API_ERRORS[code] })));
  });

  it('lists the order of rejections', () => {
    const order = /^When several .*$/m.exec(document)?.[0] ?? '';
    const statuses = [...order.matchAll(/\((\d{3})\)/g)].map(([, status]) => Number(status));
    expect(statuses).toEqual([404, 405, 401, 403, 429, 413, 415, 400, 404, 409, 412]);
  });
});
