import { createFakeClock } from '@busbar/testing';
import { newTag } from '../testing/tag';
import { importTags, type TagRow } from './import-tags';
import type { Tag } from './tag';

const NOW = '2026-02-01T00:00:00.000Z';
const SOON = '2026-03-01T00:00:00.000Z';

function open(...existing: readonly Tag[]) {
  const stored: Tag[] = [];
  const tags = {
    findByKeys: (clientId: string, keys: readonly string[]) =>
      Promise.resolve(existing.filter((tag) => tag.clientId === clientId && keys.includes(tag.idTagKey))),
    putMany: (some: readonly Tag[]) => Promise.resolve(void stored.push(...some)),
  };
  const clock = createFakeClock(new Date(NOW));
  return { stored, run: (rows: readonly TagRow[]) => importTags({ tags, clock }, 'client', rows) };
}

it('creates new tags and changes existing ones, whose absent fields keep their value', async () => {
  const before = newTag({ clientId: 'client', idTag: 'Old', idTagKey: 'old', tokenName: 'Car', blocked: true });
  const { run, stored } = open(before);
  const rows = [{ idTag: 'new' }, { idTag: 'OLD', externalId: 'x', tokenName: null }];
  expect(await run(rows)).toEqual({ created: 1, changed: 1, unchanged: 0 });
  expect(stored).toEqual([
    expect.objectContaining({ clientId: 'client', idTag: 'new', idTagKey: 'new', blocked: false, updatedAt: NOW }),
    { ...before, tokenName: null, externalId: 'x', updatedAt: NOW },
  ]);
});

it('does not write tags that a row leaves as they are', async () => {
  const { run, stored } = open(newTag({ clientId: 'client', idTag: 'same', idTagKey: 'same' }));
  expect(await run([{ idTag: 'same' }])).toEqual({ created: 0, changed: 0, unchanged: 1 });
  expect(stored).toEqual([]);
});

it('stores none where one is invalid, and names each by its row', async () => {
  const { run, stored } = open();
  const rows = [{ idTag: 'a' }, { idTag: 'A' }, { idTag: 'b', startDate: SOON, expiringDate: NOW }, { idTag: 'c' }];
  await expect(run(rows)).rejects.toMatchObject({
    code: 'invalid_request',
    message: '2 of 4 tags are invalid. None was stored.',
    details: {
      issues: [
        { field: 'tags/1/idTag', message: 'is the tag of row 1 too; tags are compared without case' },
        { field: 'tags/2/expiringDate', message: 'must be after startDate' },
      ],
    },
  });
  expect(stored).toEqual([]);
});

it('names a thousand invalid rows at most, with their number', async () => {
  const rows = Array.from({ length: 1_500 }, () => ({ idTag: 'same' }));
  const failure = (await open()
    .run(rows)
    .catch((error: unknown) => error)) as {
    message: string;
    details: { issues: unknown[] };
  };
  expect(failure.message).toBe('1499 of 1500 tags are invalid, of which 1000 are named. None was stored.');
  expect(failure.details.issues).toHaveLength(1_000);
});
