// After a restore: raises the counters above the numbers that were given since the backup.
import { createId } from '@busbar/core';
import { and, eq, gt, type Store } from '../../port';
import { collections } from '../collections';
import { SCHEMA_ID, settingsCollection } from '../store-schema';

/**
 * More than a charger connects, or a network charges, between a backup and its restore; 32 bits hold it two thousand
 * times.
 */
export const RAISED_BY = 1_000_000;
const PAGE = 1_000;

/**
 * Raises the counters of connection orders and transaction ids, so that no number from after the backup is reused.
 * Messages in the broker, and chargers, still use those numbers. May be done at any time, repeatedly. Resolves with the
 * number of chargers, deleted ones included, whose orders were raised.
 */
export async function raiseCounters(store: Store): Promise<number> {
  const chargers = store.collection(collections.chargers);
  const orders = store.collection(collections.connectionOrders);
  const counters = store.collection(collections.counters);
  // A charger without connections before the backup has no counter, and may have connected since.
  let after = '';
  for (;;) {
    const found = await chargers.findValues(gt('_id', after), ['_id'], { sort: [['_id', 1]], limit: PAGE });
    const ids = found.map(([id]) => String(id));
    const last = ids.at(-1);
    if (last === undefined) break;
    await orders.bulk(ids.map((id) => ({ insert: { _id: id, value: 0 } })));
    after = last;
  }
  await counters.incrementAndGet('transactionId', 'value', RAISED_BY);
  // Pages of the feed may be numbered again: cursors of before mean nothing.
  const settings = store.collection(settingsCollection);
  await settings.update(eq('_id', SCHEMA_ID), { set: { feedGeneration: createId() } });
  return orders.update(and(), { inc: { value: RAISED_BY } }, { many: true });
}
