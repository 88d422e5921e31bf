import { tagKey, type Tag } from '../tags/tag';

/** A tag without a period or a parent, with these parts. Its key follows from it. */
export function newTag(part: Partial<Tag> = {}): Tag {
  const idTag = part.idTag ?? 'Tag';
  return {
    clientId: 'client',
    idTag,
    idTagKey: tagKey(idTag),
    tokenName: null,
    type: null,
    parentIdTag: null,
    blocked: false,
    startDate: null,
    expiringDate: null,
    externalId: null,
    updatedAt: '2026-01-01T00:00:00.000Z',
    ...part,
  };
}
