import type { TagClaim, TagClaimStore } from '@busbar/domain/tags';
import { and, eq, oneOf, type BulkOperation, type Document, type Store } from '../port';
import { tagClaimsCollection } from './collections';

export function createTagClaimStore(store: Store): TagClaimStore {
  const claims = store.collection(tagClaimsCollection);
  return {
    find: (tags) => (tags.length === 0 ? Promise.resolve([]) : claims.find(oneOf('_id', tags.map(idOf)))),
    async take(changes) {
      if (changes.length === 0) return;
      await claims.bulk(
        changes.map(({ claim, insteadOf }): BulkOperation<TagClaim & Document> => {
          const _id = idOf(claim);
          if (insteadOf === undefined) return { insert: { _id, ...claim } };
          const { sessionId, at } = claim;
          return { filter: and(eq('_id', _id), eq('sessionId', insteadOf)), update: { set: { sessionId, at } } };
        }),
      );
    },
  };
}

function idOf({ clientId, idTagKey }: Pick<TagClaim, 'clientId' | 'idTagKey'>): string {
  return `${clientId}/${idTagKey}`;
}
