// Lists sort by, and search in, names and ids in lower case, which the first versions did not keep: what has not been
// changed since would be missing from searches and come first in every order by name.
import { and, chargersCollection, eq, exists, listedKeys, sitesCollection, type Store } from '@busbar/store';
import type { Migration } from './migration';

const CONCURRENCY = 1_000;
const unfilled = exists('listed.name', false);

export const fillListed: Migration = {
  version: 3,
  about: 'names and ids in lower case, to sort lists by and to search in',
  part: async (store) => (await fillChargers(store)) + (await fillSites(store)),
};

// By compare-and-set on the name: one that was changed meanwhile has what it needs.
async function fillChargers(store: Store): Promise<number> {
  const chargers = store.collection(chargersCollection);
  const found = await chargers.find(unfilled, { limit: CONCURRENCY });
  await chargers.bulk(
    found.map(({ _id, registered: { name } }) => ({
      filter: and(eq('_id', _id), eq('registered.name', name), unfilled),
      update: { set: { listed: listedKeys(_id, name) }, inc: { revision: 1 } },
    })),
  );
  return found.length;
}

async function fillSites(store: Store): Promise<number> {
  const sites = store.collection(sitesCollection);
  const found = await sites.find(unfilled, { limit: CONCURRENCY });
  await sites.bulk(
    found.map(({ _id, name }) => ({
      filter: and(eq('_id', _id), eq('name', name), unfilled),
      update: { set: { listed: { name: name.toLowerCase() } } },
    })),
  );
  return found.length;
}
