import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEVIATIONS } from './deviations';

const DOCUMENT = join(__dirname, '../../../../../docs/ocpp-1.6.md');
const ROW = /^\| (?<kind>[a-z_]+) +\| (?<meaning>[A-Z][^|]+?) +\|/gm;

describe('the meanings of deviations', () => {
  it('are those of docs/ocpp-1.6.md', () => {
    const [, section = ''] = readFileSync(DOCUMENT, 'utf8').split('## Tolerated deviations');
    const [table = ''] = section.split('\n## ');
    const documented = [...table.matchAll(ROW)].map(({ groups }) => [
      groups?.['kind'],
      groups?.['meaning']?.replaceAll('`', ''),
    ]);
    expect(Object.entries(DEVIATIONS)).toEqual(documented);
  });
});
