import type { Records } from '@busbar/domain';
import { tagId, type Tag, type TagInput } from '@busbar/domain/tags';
import { and, eq, gte, oneOf, or, type Document, type Store } from '../../port';
import { beginsWith } from '../lists/begins-with';
import { changedAt, type Now } from '../change-time';
import { collections } from '../collections';
import { createListPage } from '../lists/list-page';

type PutTag = Parameters<Records['tags']['put']>[0];

const WRITE_BATCH = 500;
const SORTED_BY = { idTag: 'idTagKey', tokenName: 'nameKey', updatedAt: 'updatedAt' } as const;

export function tagRecords(store: Store, now: Now): Records['tags'] {
  const tags = store.collection(collections.tags);
  const page = createListPage(tags);

  async function put(tag: PutTag): Promise<void> {
    const { updatedAt = now(), ...fields } = tag;
    const set = { ...fields, nameKey: nameKeyOf(tag.tokenName) };
    await tags.update(eq('_id', tagId(tag)), { set, ...changedAt(updatedAt) }, { upsert: true });
  }

  /** Those of new tags are inserted; an existing one gets all its fields. */
  async function putSome(some: readonly Tag[]): Promise<void> {
    const known = new Set((await tags.findValues(oneOf('_id', some.map(tagId)), ['_id'])).map(([id]) => id));
    const result = await tags.bulk(
      some.map((tag) => {
        const _id = tagId(tag);
        const { updatedAt, ...fields } = tag;
        const set = { ...fields, nameKey: nameKeyOf(tag.tokenName) };
        return known.has(_id)
          ? { filter: eq('_id', _id), update: { set, ...changedAt(updatedAt) } }
          : { insert: { _id, ...tag, nameKey: nameKeyOf(tag.tokenName) } };
      }),
    );
    if (result.matched + result.inserted === some.length) return;
    // Another process created or deleted some meanwhile.
    for (const tag of some) await put(tag);
  }

  return {
    async findByKeys(clientId, idTagKeys) {
      if (idTagKeys.length === 0) return [];
      const ids = idTagKeys.map((idTagKey) => tagId({ clientId, idTagKey }));
      return (await tags.find(oneOf('_id', ids))).map(toTag);
    },
    async list(clientId, { search, updatedSince }, wanted) {
      const all = eq('clientId', clientId);
      const own = updatedSince === undefined ? all : and(all, gte('updatedAt', updatedSince));
      // Each alternative is complete, so that each finds its own index.
      const filter = search === undefined ? own : or(...searchesFor(search).map((one) => and(own, one)));
      const found = await page(filter, { ...wanted, sortKey: SORTED_BY[wanted.sortKey] }, 'idTagKey');
      return { ...found, items: found.items.map(toTag) };
    },
    put,
    async putMany(all) {
      for (let from = 0; from < all.length; from += WRITE_BATCH) await putSome(all.slice(from, from + WRITE_BATCH));
    },
    async insert(tag) {
      const _id = tagId(tag);
      const result = await tags.insert({ _id, ...tag, nameKey: nameKeyOf(tag.tokenName) });
      return result.inserted ? 'inserted' : 'exists';
    },
    async update(clientId, idTagKey, changes, at) {
      const update = { set: stored(changes), ...changedAt(at) };
      return (await tags.update(eq('_id', tagId({ clientId, idTagKey })), update)) === 1;
    },
    async delete(clientId, idTagKey) {
      return (await tags.delete(eq('_id', tagId({ clientId, idTagKey })))) === 1;
    },
  };
}

function searchesFor(text: string) {
  const key = text.toLowerCase();
  return [beginsWith('idTagKey', key), beginsWith('nameKey', key), beginsWith('externalId', text)];
}

function stored(changes: Partial<TagInput>) {
  return { ...changes, ...(changes.tokenName === undefined ? {} : { nameKey: nameKeyOf(changes.tokenName) }) };
}

function nameKeyOf(tokenName: string | null): string | null {
  return tokenName === null ? null : tokenName.toLowerCase();
}

/** Tags of before the type have none. */
type StoredTag = Omit<Tag, 'type'> & Partial<Pick<Tag, 'type'>> & Document;

function toTag({ clientId, idTag, idTagKey, ...rest }: StoredTag): Tag {
  const { tokenName, type = null, parentIdTag, blocked, startDate, expiringDate, externalId, updatedAt } = rest;
  const validity = { blocked, startDate, expiringDate };
  return { clientId, idTag, idTagKey, tokenName, type, parentIdTag, ...validity, externalId, updatedAt };
}
