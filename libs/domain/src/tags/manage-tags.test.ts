import { createFakeClock } from '@busbar/testing';
import { storedTags } from '../testing/stored-tags';
import { newTag } from '../testing/tag';
import { changeTag, createTag, deleteTag, readTag } from './manage-tags';
import type { Tag, TagInput, TagReader } from './tag';

const NOW = '2026-02-01T00:00:00.000Z';
const EARLY = '2026-03-01T00:00:00.000Z';
const LATE = '2026-04-01T00:00:00.000Z';

const STORED = newTag({ idTag: 'Card', tokenName: 'Ann', startDate: EARLY, expiringDate: LATE });
const NAMED = { clientId: 'client', idTag: 'CARD' };
const OTHERS = { clientId: 'other', idTag: 'Card' };
const UNKNOWN = { code: 'not_found', message: 'There is no tag Card.' };

const list: TagReader['list'] = () => Promise.reject(new Error('no use case lists tags here'));

function open(...tags: Tag[]) {
  const stored = storedTags(...tags);
  const unused = () => Promise.reject(new Error('unused'));
  const deps = { tags: { ...stored, list, put: unused, putMany: unused } };
  return { all: stored.all, deps: { ...deps, clock: createFakeClock(new Date(NOW)) } };
}

/** The refusal of dates that leave no time between them. */
function emptyValidity(field: string, message: string) {
  const details = { issues: [{ field, message }] };
  return { code: 'invalid_request', message: 'expiringDate must be after startDate.', details };
}
const ENDS_EARLY = emptyValidity('expiringDate', 'must be after startDate');
const STARTS_LATE = emptyValidity('startDate', 'must be before expiringDate');

describe('creating a tag', () => {
  it.each<[string, Parameters<typeof createTag>[2], Partial<Tag>]>([
    ['gives absent fields their defaults', {}, {}],
    ['gives null fields their defaults', { blocked: null, tokenName: null, parentIdTag: null }, {}],
    ['stores the given fields', { blocked: true, tokenName: 'Ann' }, { blocked: true, tokenName: 'Ann' }],
    ['accepts a start date alone', { startDate: LATE }, { startDate: LATE }],
    ['accepts an expiring date alone', { expiringDate: EARLY }, { expiringDate: EARLY }],
    ['accepts a parent that is no tag', { parentIdTag: 'Group' }, { parentIdTag: 'Group' }],
  ])('%s', async (_title, input, expected) => {
    const { deps, all } = open();
    const created = await createTag(deps, { clientId: 'client', idTag: 'Card' }, input);
    expect(created).toEqual(newTag({ idTag: 'Card', updatedAt: NOW, ...expected }));
    expect([...all.values()]).toEqual([created]);
  });

  it.each<[string, { clientId: string; idTag: string }, Parameters<typeof createTag>[2], object]>([
    [
      'refuses a tag that differs from another in case only',
      NAMED,
      {},
      { code: 'tag_exists', message: 'There is a tag CARD already. Tags are compared without case.' },
    ],
    ['refuses an expiring date before the start', OTHERS, { startDate: LATE, expiringDate: EARLY }, ENDS_EARLY],
    ['refuses an expiring date equal to the start', OTHERS, { startDate: EARLY, expiringDate: EARLY }, ENDS_EARLY],
  ])('%s, and stores nothing', async (_title, named, input, refusal) => {
    const { deps, all } = open(STORED);
    await expect(createTag(deps, named, input)).rejects.toMatchObject(refusal);
    expect([...all.values()]).toEqual([STORED]);
  });

  it('accepts the text of a tag of another client', async () => {
    const { deps, all } = open(STORED);
    await createTag(deps, OTHERS, {});
    expect(all.size).toBe(2);
  });
});

describe('reading a tag', () => {
  it('finds it in any case', async () => {
    expect(await readTag(open(STORED).deps, NAMED)).toBe(STORED);
  });

  it('does not find the tag of another client', async () => {
    await expect(readTag(open(STORED).deps, OTHERS)).rejects.toMatchObject(UNKNOWN);
  });
});

describe('changing a tag', () => {
  it.each<[string, Parameters<typeof changeTag>[2], Partial<TagInput>]>([
    ['changes the given fields only', { blocked: true }, { blocked: true }],
    ['clears a null field', { tokenName: null }, { tokenName: null }],
    ['unblocks a tag by null', { blocked: null, externalId: 'x' }, { blocked: false, externalId: 'x' }],
    ['moves the whole period', { startDate: LATE, expiringDate: null }, { startDate: LATE, expiringDate: null }],
  ])('%s', async (_title, change, expected) => {
    const { deps, all } = open(STORED);
    const changed = await changeTag(deps, NAMED, change);
    expect(changed).toEqual({ ...STORED, ...expected, updatedAt: NOW });
    expect([...all.values()]).toEqual([changed]);
  });

  it.each<[string, Parameters<typeof changeTag>[2]]>([
    ['does not write an empty change', {}],
    ['does not write a change without effect', { tokenName: 'Ann', blocked: null }],
  ])('%s', async (_title, change) => {
    const { deps, all } = open(STORED);
    expect(await changeTag(deps, NAMED, change)).toBe(STORED);
    expect([...all.values()]).toEqual([STORED]);
  });

  it.each<[string, { clientId: string; idTag: string }, Parameters<typeof changeTag>[2], object]>([
    ['refuses the tag of another client', OTHERS, { blocked: true }, UNKNOWN],
    ['refuses an expiring date at the stored start', NAMED, { expiringDate: EARLY }, ENDS_EARLY],
    ['refuses a start at the stored expiring date', NAMED, { startDate: LATE }, STARTS_LATE],
    ['names the expiring date of two', NAMED, { startDate: LATE, expiringDate: EARLY }, ENDS_EARLY],
  ])('%s, and changes nothing', async (_title, named, change, refusal) => {
    const { deps, all } = open(STORED);
    await expect(changeTag(deps, named, change)).rejects.toMatchObject(refusal);
    expect([...all.values()]).toEqual([STORED]);
  });

  it('does not find a tag that is deleted before the write', async () => {
    const { deps } = open(STORED);
    const tags = { ...deps.tags, update: () => Promise.resolve(false) };
    await expect(changeTag({ ...deps, tags }, { ...NAMED, idTag: 'Card' }, { blocked: true })).rejects.toMatchObject(
      UNKNOWN,
    );
  });
});

describe('deleting a tag', () => {
  it('deletes it in any case, once', async () => {
    const { deps, all } = open(STORED);
    await deleteTag(deps, NAMED);
    expect(all.size).toBe(0);
    await expect(deleteTag(deps, { ...NAMED, idTag: 'Card' })).rejects.toMatchObject(UNKNOWN);
  });

  it('does not delete the tag of another client', async () => {
    const { deps, all } = open(STORED);
    await expect(deleteTag(deps, OTHERS)).rejects.toMatchObject(UNKNOWN);
    expect(all.size).toBe(1);
  });
});
