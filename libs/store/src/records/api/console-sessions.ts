// Sessions of the web console, and the links that sign in once. Neither has a cache: a session that ends in one process ends in all.
import type { Records } from '@busbar/domain';
import { and, eq, type Store } from '../../port';
import { collections } from '../collections';
import { trim } from '../trim';

export function consoleSessionRecords(store: Store): Records['consoleSessions'] {
  const sessions = store.collection(collections.consoleSessions);
  return {
    find: (hash) => sessions.get(hash),
    async insert(session, maxPerKey) {
      await sessions.insert({ _id: session.hash, ...session });
      await trim(sessions, eq('keyId', session.keyId), 'createdAt', maxPerKey);
    },
    async touch(hash, at) {
      await sessions.update(eq('_id', hash), { max: { lastUsedAt: at } });
    },
    async end(hash) {
      await sessions.delete(eq('_id', hash));
    },
  };
}

export function signInCodeRecords(store: Store): Records['signInCodes'] {
  const codes = store.collection(collections.signInCodes);
  return {
    async insert(code, max) {
      await codes.insert({ _id: code.hash, ...code });
      await trim(codes, and(), 'createdAt', max);
    },
    async take(hash) {
      const code = await codes.get(hash);
      // The caller that deletes it has it.
      return code !== undefined && (await codes.delete(eq('_id', hash))) === 1 ? code : undefined;
    },
  };
}
