import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { API_ERRORS, CLIENT_ERROR_CODES } from './errors';

/** Six, and the ends of the line. */
const COLUMNS = 8;

describe('docs/errors.md', () => {
  const document = readFileSync(join(__dirname, '../../../docs/errors.md'), 'utf8');

  it('lists every code with its status, title, meaning and action', () => {
    const rows = document
      .split('\n')
      .map((line) => line.split('|').map((cell) => cell.trim()))
      .filter((cells) => cells.length === COLUMNS && /^\d{3}$/.test(cells[2] ?? ''))
      .map(([, code, status, title, , meaning, action]) => ({ code, status: Number(status), title, meaning, action }));
    expect(rows).toEqual(CLIENT_ERROR_CODES.map((code) => ({ ...API_ERRORS[code], code: `\`${code}\`` })));
  });

  it('lists the order of rejections', () => {
    const order = /^When several .*$/m.exec(document)?.[0] ?? '';
    const statuses = [...order.matchAll(/\((\d{3})\)/g)].map(([, status]) => Number(status));
    expect(statuses).toEqual([404, 405, 401, 403, 429, 413, 415, 400, 404, 409, 412]);
  });
});
