// Statistics count sockets by a text that each charger's record keeps. Programs before this one took it away when an owner
// changed sockets, and the first ones did not keep it: all such records were read for each statistics.
import { socketTally } from '@busbar/domain/chargers';
import { and, chargersCollection, eq, exists, type Store } from '@busbar/store';
import type { Migration } from './migration';

const CONCURRENCY = 1_000;
const unfilled = exists('reported.tally', false);

export const fillTally: Migration = {
  version: 4,
  about: 'how many sockets of each charger are in which state, for statistics',
  part: fillSome,
};

async function fillSome(store: Store): Promise<number> {
  const chargers = store.collection(chargersCollection);
  const found = await chargers.find(unfilled, { limit: CONCURRENCY });
  // By compare-and-set, as charger-state writes: one that was changed meanwhile is met again in the next part, or has it.
  await chargers.bulk(
    found.map((charger) => ({
      filter: and(eq('_id', charger._id), eq('revision', charger.revision), unfilled),
      update: { set: { 'reported.tally': socketTally(charger) }, inc: { revision: 1 } },
    })),
  );
  return found.length;
}
