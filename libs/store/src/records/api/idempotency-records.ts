// Idempotency records: first requests with an `Idempotency-Key` and their responses.
import { AppError } from '@busbar/core';
import type { IdempotencyClaim, IdempotencyRecord, IdempotencyStore } from '@busbar/contracts';
import { and, eq, type Document, type Store } from '../../port';
import { collections } from '../collections';

/** Each lost attempt means that another process has just succeeded. */
const MAX_ATTEMPTS = 5;

export function idempotencyRecords(store: Store): IdempotencyStore {
  const records = store.collection(collections.idempotencyRecords);

  async function takeOver(
    found: IdempotencyRecord & Document,
    claimed: IdempotencyClaim & { readonly response: null },
  ): Promise<boolean> {
    const asFound = and(eq('_id', found._id), eq('attempt', found.attempt), eq('at', found.at));
    return (await records.update(asFound, { set: { ...claimed } })) === 1;
  }

  return {
    async claim(claim, deadBefore) {
      const claimed = { ...claim, response: null };
      for (let tries = 0; tries < MAX_ATTEMPTS; tries += 1) {
        if ((await records.insert({ _id: claim.id, ...claimed })).inserted) return { outcome: 'claimed' };
        const found = await records.get(claim.id);
        // It was released, or expired and was deleted, in between.
        if (found === undefined) continue;
        const { response, fingerprint } = found;
        const isOver = found.expiresAt <= claim.at || (response === null && found.at < deadBefore);
        if (isOver && (await takeOver(found, claimed))) return { outcome: 'claimed' };
        if (!isOver)
          return response === null
            ? { outcome: 'running', fingerprint }
            : { outcome: 'completed', fingerprint, response };
      }
      throw new AppError('unavailable', 'too many processes claim this Idempotency-Key at once');
    },
    async complete(id, attempt, response) {
      await records.update(and(eq('_id', id), eq('attempt', attempt), eq('response', null)), { set: { response } });
    },
    async release(id, attempt) {
      await records.delete(and(eq('_id', id), eq('attempt', attempt), eq('response', null)));
    },
  };
}
