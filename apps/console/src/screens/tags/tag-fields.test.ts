import type { Schemas } from '../../api/client';
import { tagStateOf, type TagState } from './tag-fields';
import { parseTagsSearch } from './tags-search';

const NOW = Date.parse('2026-05-01T12:00:00Z');
const TAG: Schemas['Tag'] = {
  idTag: 'A1',
  startDate: null,
  expiringDate: null,
  tokenName: null,
  type: null,
  blocked: false,
  parentIdTag: null,
  externalId: null,
  updatedAt: '2026-01-01T00:00:00Z',
  lastUsedAt: null,
};

describe('the state of a tag', () => {
  it.each<[TagState, Partial<Schemas['Tag']>]>([
    ['valid', {}],
    ['valid', { startDate: '2026-05-01T12:00:00Z', expiringDate: '2026-05-01T12:00:01Z' }],
    ['blocked', { blocked: true, expiringDate: '2026-01-01T00:00:00Z' }],
    ['expired', { expiringDate: '2026-05-01T12:00:00Z' }],
    ['notYet', { startDate: '2026-05-01T12:00:01Z' }],
  ])('is %s with %j', (expected, part) => {
    expect(tagStateOf({ ...TAG, ...part }, NOW)).toBe(expected);
  });
});

describe('the address of the list of tags', () => {
  it.each([
    [{}, {}],
    [
      { search: 'ab', page: 2 },
      { search: 'ab', page: 2 },
    ],
    [{ search: 4091, page: 1 }, { search: '4091' }],
    [{ search: '', page: 'x' }, {}],
  ])('of %j is read as %j', (raw, expected) => {
    expect(parseTagsSearch(raw)).toEqual(expected);
  });
});
