// What the APIs' processes share about requests.
import { AppError } from '@busbar/core';
import type { IdempotencyRecord, Records } from '@busbar/domain';
import { and, eq, type Document, type Store } from '../port';
import { idempotencyCollection } from './collections';

/** Each try that fails means that another one has just succeeded. */
const MAX_ATTEMPTS = 5;

export function idempotencyRecords(store: Store): Records['answers'] {
  const answers = store.collection(idempotencyCollection);

  async function takeOver(
    found: IdempotencyRecord & Document,
    claimed: Omit<IdempotencyRecord, 'answerId'>,
  ): Promise<boolean> {
    const asFound = and(eq('_id', found._id), eq('attempt', found.attempt), eq('at', found.at));
    return (await answers.update(asFound, { set: { ...claimed } })) === 1;
  }

  return {
    async claim({ id, ...claim }, deadBefore) {
      const claimed = { ...claim, answer: null };
      for (let tries = 0; tries < MAX_ATTEMPTS; tries += 1) {
        if ((await answers.insert({ _id: id, answerId: id, ...claimed })).inserted) return { outcome: 'claimed' };
        const found = await answers.get(id);
        // It was released, or it expired and was deleted, in between.
        if (found === undefined) continue;
        const { answer, fingerprint } = found;
        const isOver = found.expiresAt <= claim.at || (answer === null && found.at < deadBefore);
        if (isOver && (await takeOver(found, claimed))) return { outcome: 'claimed' };
        if (!isOver)
          return answer === null ? { outcome: 'running', fingerprint } : { outcome: 'answered', fingerprint, answer };
      }
      throw new AppError('unavailable', 'a key for idempotent requests changes hands all the time');
    },
    async keep(id, attempt, answer) {
      await answers.update(and(eq('_id', id), eq('attempt', attempt), eq('answer', null)), { set: { answer } });
    },
    async release(id, attempt) {
      await answers.delete(and(eq('_id', id), eq('attempt', attempt), eq('answer', null)));
    },
  };
}
