// Lists filter by a charger's own state, which the first version did not keep: chargers that have said nothing since would
// be missing from them.
import { ownStateOf } from '@busbar/domain/chargers';
import { and, chargersCollection, eq, exists, type Store } from '@busbar/store';
import type { Migration } from './migration';

const CONCURRENCY = 200;

export const fillOwnState: Migration = {
  version: 2,
  about: "each charger's own state, to filter lists by",
  part: fillSome,
};

async function fillSome(store: Store): Promise<number> {
  const chargers = store.collection(chargersCollection);
  const found = await chargers.find(exists('reported.ownState', false), { limit: CONCURRENCY });
  if (found.length === 0) return 0;
  // By compare-and-set, as charger-state writes: one that was changed meanwhile is met again in the next part, or has it.
  await chargers.bulk(
    found.map(({ _id, revision, reported }) => ({
      filter: and(eq('_id', _id), eq('revision', revision), exists('reported.ownState', false)),
      update: { set: { 'reported.ownState': ownStateOf(reported) }, inc: { revision: 1 } },
    })),
  );
  return found.length;
}
