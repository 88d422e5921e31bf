import { tagId, type TagClaim, type TagClaimStore } from '@busbar/domain/tags';
import { and, eq, oneOf, type BulkOperation, type Document, type Store } from '../../port';
import { collections } from '../collections';

export function createTagClaimStore(store: Store): TagClaimStore {
  const claims = store.collection(collections.tagClaims);
  return {
    find: (tags) => (tags.length === 0 ? Promise.resolve([]) : claims.find(oneOf('_id', tags.map(tagId)))),
    async take(changes) {
      if (changes.length === 0) return;
      await claims.bulk(
        changes.map(({ claim, insteadOf }): BulkOperation<TagClaim & Document> => {
          const _id = tagId(claim);
          if (insteadOf === undefined) return { insert: { _id, ...claim } };
          const { sessionId, at } = claim;
          return { filter: and(eq('_id', _id), eq('sessionId', insteadOf)), update: { set: { sessionId, at } } };
        }),
      );
    },
  };
}
