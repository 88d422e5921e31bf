import { tagId, type Tag, type TagReader, type TagWriter } from '../tags/tag';

type StoredTags = Pick<TagReader, 'findByKeys'> & Pick<TagWriter, 'insert' | 'update' | 'delete'>;

/** The tags of a test in memory, by their id: what a use case of single tags reads and writes. */
export function storedTags(...tags: readonly Tag[]): StoredTags & { readonly all: Map<string, Tag> } {
  const all = new Map(tags.map((tag) => [tagId(tag), tag]));
  return {
    all,
    findByKeys: (clientId, keys) =>
      Promise.resolve(keys.flatMap((idTagKey) => all.get(tagId({ clientId, idTagKey })) ?? [])),
    insert: (tag) => {
      if (all.has(tagId(tag))) return Promise.resolve('exists');
      all.set(tagId(tag), tag);
      return Promise.resolve('inserted');
    },
    update: (clientId, idTagKey, changes, updatedAt) => {
      const tag = all.get(tagId({ clientId, idTagKey }));
      if (tag !== undefined) all.set(tagId(tag), { ...tag, ...changes, updatedAt });
      return Promise.resolve(tag !== undefined);
    },
    delete: (clientId, idTagKey) => Promise.resolve(all.delete(tagId({ clientId, idTagKey }))),
  };
}
