import { cacheTag, emptyLocalList, standingOf, updateLocalList, type ListUpdate, type TagInfo } from './local-list';

const NOW = new Date('2026-01-01T00:00:00Z');
const accepted = (idTag: string): { idTag: string; idTagInfo: TagInfo } => ({
  idTag,
  idTagInfo: { status: 'Accepted' },
});

function listed(...updates: ListUpdate[]) {
  const list = emptyLocalList();
  const answers = updates.map((update) => updateLocalList(list, update));
  return { answers, version: list.version, tags: [...list.tags.keys()] };
}

const FULL: ListUpdate = { listVersion: 2, updateType: 'Full', localAuthorizationList: [accepted('A'), accepted('B')] };

it.each<[string, ListUpdate, { answer: string; version: number; tags: string[] }]>([
  [
    'replaces the list by a full list, also with a lower version',
    { listVersion: 1, updateType: 'Full', localAuthorizationList: [accepted('C')] },
    { answer: 'Accepted', version: 1, tags: ['c'] },
  ],
  ['accepts an empty full list', { listVersion: 3, updateType: 'Full' }, { answer: 'Accepted', version: 3, tags: [] }],
  [
    'adds, changes and removes tags by a differential update',
    { listVersion: 3, updateType: 'Differential', localAuthorizationList: [accepted('c'), { idTag: 'a' }] },
    { answer: 'Accepted', version: 3, tags: ['b', 'c'] },
  ],
  [
    'requires a higher version of a differential update',
    { listVersion: 2, updateType: 'Differential', localAuthorizationList: [accepted('C')] },
    { answer: 'VersionMismatch', version: 2, tags: ['a', 'b'] },
  ],
  [
    'fails with a full list that has a tag without standing',
    { listVersion: 3, updateType: 'Full', localAuthorizationList: [{ idTag: 'C' }] },
    { answer: 'Failed', version: 2, tags: ['a', 'b'] },
  ],
  [
    'a version below 1 fails',
    { listVersion: 0, updateType: 'Full' },
    { answer: 'Failed', version: 2, tags: ['a', 'b'] },
  ],
])('%s', (_title, update, { answer, version, tags }) => {
  expect(listed(FULL, update)).toEqual({ answers: ['Accepted', answer], version, tags });
});

it('fails with a list longer than SendLocalListMaxLength', () => {
  const localAuthorizationList = Array.from({ length: 501 }, (_, i) => accepted(`T${String(i)}`));
  expect(listed({ listVersion: 1, updateType: 'Full', localAuthorizationList }).answers).toEqual(['Failed']);
});

it('compares a tag without case, until it expires', () => {
  const tags = new Map<string, TagInfo>();
  cacheTag(tags, 'Tag', { status: 'Accepted', expiryDate: '2026-01-01T00:00:00Z' });
  cacheTag(tags, 'Other', { status: 'Accepted', expiryDate: '2026-01-01T00:00:01Z' });
  expect(standingOf(tags, 'TAG', NOW)?.status).toBe('Expired');
  expect(standingOf(tags, 'other', NOW)?.status).toBe('Accepted');
  expect(standingOf(tags, 'unheard', NOW)).toBeUndefined();
});

it('keeps the last 500 tags in the cache', () => {
  const tags = new Map<string, TagInfo>();
  for (let i = 0; i < 501; i += 1) cacheTag(tags, String(i), { status: 'Accepted' });
  expect(tags.size).toBe(500);
  expect(tags.has('0')).toBe(false);
});
