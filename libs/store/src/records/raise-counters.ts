// What a store that was brought back does not know: the numbers that were given since it was saved.
import { and, eq, gt, type Store } from '../port';
import { chargersCollection, countersCollection, ordersCollection } from './collections';

/** More than a charger connects, or a network charges, between a backup and its return; it fits 32 bits two thousand times. */
export const RAISED_BY = 1_000_000;
const PAGE = 1_000;

/**
 * Raises what connection orders and transaction ids are counted by, so that none is given again that was given after the
 * backup: messages that wait in the broker, and chargers themselves, still name them. May be done at any time, and again.
 * Resolves with how many chargers' orders were raised; deleted ones have theirs too.
 */
export async function raiseCounters(store: Store): Promise<number> {
  const chargers = store.collection(chargersCollection);
  const orders = store.collection(ordersCollection);
  const counters = store.collection(countersCollection);
  // A charger that had never connected when it was saved has no counter, and may have connected since.
  let after = '';
  for (;;) {
    const found = await chargers.findValues(gt('_id', after), ['_id'], { sort: [['_id', 1]], limit: PAGE });
    const ids = found.map(([id]) => String(id));
    const last = ids.at(-1);
    if (last === undefined) break;
    await orders.bulk(
      ids.map((id) => ({ filter: eq('_id', id), update: { setOnInsert: { value: 0 } }, upsert: true })),
    );
    after = last;
  }
  await counters.incrementAndGet('transactionId', 'value', RAISED_BY);
  return orders.update(and(), { inc: { value: RAISED_BY } }, { many: true });
}
