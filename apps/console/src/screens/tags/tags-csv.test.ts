import { issueOfRow, tagLine, tagsOfFile } from './tags-csv';

const HEADER = 'idTag,tokenName,blocked,startDate,expiringDate,parentIdTag,externalId,type\r\n';

describe('tags as CSV', () => {
  it('are read as they were written', () => {
    const tag = {
      idTag: '04E9',
      tokenName: '=1+1, "x"',
      blocked: true,
      startDate: null,
      expiringDate: '2026-12-31T00:00:00.000Z',
      parentIdTag: null,
      type: null,
      externalId: '7',
    };
    const file = HEADER + tagLine({ ...tag, updatedAt: '2026-01-01T00:00:00.000Z', lastUsedAt: null });
    expect(tagsOfFile(file)).toEqual({ tags: [tag], lines: [2] });
  });

  it('keep what a file has no column for', () => {
    expect(tagsOfFile('Blocked;IDTAG\nFALSE;A1\n')).toEqual({ tags: [{ idTag: 'A1', blocked: false }], lines: [2] });
  });

  it.each<[string, readonly string[]]>([
    ['', ['There is no row below the names of the columns.']],
    ['idTag\n', ['There is no row below the names of the columns.']],
    ['idTag\n"A', ['A quoted field has no end.']],
    ['name\nA', ['The column name is unknown.', 'There is no column idTag.']],
    [
      'idTag,blocked\nA,yes\nB,true\nC,1',
      ['Row 2: blocked must be true, false or empty.', 'Row 4: blocked must be true, false or empty.'],
    ],
    ['idTag,startDate\nA,soon', ['Row 2: startDate is no time such as 2026-01-31T00:00:00Z.']],
    [`idTag\n${'A\n'.repeat(10_001)}`, ['There are 10,001 rows; 10,000 are the most.']],
  ])('are refused as a whole: %.30j', (file, issues) => {
    expect(tagsOfFile(file)).toEqual({ issues });
  });

  it('have the issues of the API by the line of the file', () => {
    const lines = [2, 3, 7];
    expect(issueOfRow({ path: '/tags/2/idTag', message: 'is too long' }, lines)).toBe('Row 7: idTag is too long');
    expect(issueOfRow({ path: '/tags/1', message: 'is twice' }, lines)).toBe('Row 3: is twice');
    expect(issueOfRow({ path: '/tags', message: 'is too long' }, lines)).toBe('is too long');
  });
});
