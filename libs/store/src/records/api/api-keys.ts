// API keys, which every request of an API looks up by the hash of its secret.
import type { Clock } from '@busbar/core';
import type { Records } from '@busbar/domain';
import type { ApiKey } from '@busbar/domain/clients';
import { LRUCache } from 'lru-cache';
import { and, eq, type Store } from '../../port';
import { collections } from '../collections';

/** A longer list of keys has pages. */
const LIST_CAP = 1000;
const MAX_CACHED_KEYS = 10_000;
/**
 * A key is used for so long after its read began, so a key that another process revokes is refused within a second. This
 * needs no message between processes, which could get lost. The process that revokes a key refuses it at once.
 */
const CACHED_MS = 900;

interface CachedKey {
  readonly key: ApiKey;
  readonly readAtMs: number;
}

export function apiKeyRecords(store: Store, clock: Clock): Records['apiKeys'] {
  const keys = store.collection(collections.apiKeys);
  const cached = new LRUCache<string, CachedKey>({ max: MAX_CACHED_KEYS });
  let revocations = 0;

  async function readByHash(hash: string, keyId: string | undefined): Promise<ApiKey | undefined> {
    // The id of a hash never changes.
    const known = keyId === undefined ? undefined : await keys.get(keyId);
    if (known?.hash === hash) return known;
    const [key] = await keys.find(eq('hash', hash), { limit: 1 });
    return key;
  }

  return {
    async findByHash(hash) {
      const readAtMs = clock.monotonicMs();
      const known = cached.get(hash);
      if (known !== undefined && readAtMs - known.readAtMs < CACHED_MS) return known.key;
      const before = revocations;
      const key = await readByHash(hash, known?.key.keyId);
      // A key that was revoked during the read may have been read before.
      if (key?.revokedAt === null && revocations === before) cached.set(hash, { key, readAtMs });
      else cached.delete(hash);
      return key;
    },
    find: (keyId) => keys.get(keyId),
    list: (clientId) =>
      keys.find(and(eq('clientId', clientId), eq('revokedAt', null)), { sort: [['_id', 1]], limit: LIST_CAP }),
    async insert(key) {
      const result = await keys.insert({ _id: key.keyId, ...key });
      return result.inserted ? 'inserted' : 'exists';
    },
    async revoke(clientId, keyId, at) {
      const filter = and(eq('_id', keyId), eq('clientId', clientId), eq('revokedAt', null));
      try {
        return (await keys.update(filter, { set: { revokedAt: at } })) === 1;
      } finally {
        // Also where it failed: the store may have written it.
        revocations += 1;
        cached.clear();
      }
    },
    async touch({ keyId, hash, lastUsedAt }, at) {
      const known = cached.get(hash);
      // Before the write, so that requests that arrive meanwhile do not write too.
      if (known?.key.lastUsedAt === lastUsedAt) cached.set(hash, { ...known, key: { ...known.key, lastUsedAt: at } });
      await keys.update(and(eq('_id', keyId), eq('lastUsedAt', lastUsedAt)), { set: { lastUsedAt: at } });
    },
  };
}
