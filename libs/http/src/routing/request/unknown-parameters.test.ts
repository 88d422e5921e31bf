import { readQuery } from './parameters';
import { unknownParameters } from './unknown-parameters';

const schema = {
  type: 'object',
  properties: { page: { type: 'integer' }, sortKey: { type: 'string' }, to: { type: 'string' } },
} as const;
const issuesOf = (query: string) => unknownParameters(readQuery(query), schema);

const KNOWN = 'known: page, sortKey, to';

describe('an unknown query parameter', () => {
  it.each([
    ['pge=1', '?pge', ` (did you mean page?); ${KNOWN}`],
    ['PAGE=1', '?PAGE', ` (did you mean page?); ${KNOWN}`],
    ['sort_key=x', '?sort_key', ` (did you mean sortKey?); ${KNOWN}`],
    ['offset=1', '?offset', `; ${KNOWN}`],
    ['of=1', '?of', `; ${KNOWN}`],
    ['=1', '?""', `; ${KNOWN}`],
  ])('is an issue: %s', (query, path, rest) => {
    expect(issuesOf(query)).toEqual([{ path, message: `is not a known query parameter${rest}` }]);
  });

  it('is reported once, beside known ones', () => {
    expect(issuesOf('page=1&x1=a&x1=b&to=c&y1').map(({ path }) => path)).toEqual(['?x1', '?y1']);
    expect(issuesOf('page=1&page=2&to=c')).toEqual([]);
  });

  it('is cut where it is long', () => {
    expect(issuesOf(`${'x'.repeat(10_000)}=1`)[0]?.path).toHaveLength(102);
  });

  it('is one on a path without parameters', () => {
    expect(unknownParameters(readQuery('a=1'), undefined)).toEqual([
      { path: '?a', message: 'is not a known query parameter; this path has none' },
    ]);
  });
});
