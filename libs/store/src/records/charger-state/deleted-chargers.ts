// Deleted chargers until their last events are in the feed.
import type { Timestamp } from '@busbar/domain';
import type { Charger } from '@busbar/domain/chargers';
import type { DeletedCharger, DeletedChargers } from '@busbar/domain/feed';
import { and, eq, lt, oneOf, type Filter, type Store } from '../../port';
import { asJson } from '../as-json';
import { collections } from '../collections';
import { saveWithPages } from './save-chargers';

/** For the owners of partitions. */
export function createDeletedChargers(store: Store): DeletedChargers {
  const rows = store.collection(collections.deletedChargers);
  const chargers = store.collection(collections.chargers);
  return {
    find: (ids) => (ids.length === 0 ? Promise.resolve([]) : rows.find(oneOf('_id', ids))),
    async write(changes, pages) {
      if (changes.length + pages.length === 0) return 'written';
      const operations = changes.map(({ from, to }) => ({
        filter: unchanged(from),
        update: {
          set: {
            'charger.outbox': asJson(to.charger.outbox),
            'charger.revision': to.charger.revision,
            isLast: to.isLast,
          },
        },
      }));
      return (await saveWithPages(store, rows, { operations, pages })) ? 'written' : 'conflict';
    },
    async remove(deleted) {
      await rows.delete(
        oneOf(
          '_id',
          deleted.map(({ charger }) => charger.incarnationId),
        ),
      );
    },
    async withdraw(deleted) {
      const { chargerId, incarnationId, revision } = deleted.charger;
      const same = and(eq('_id', chargerId), eq('incarnationId', incarnationId), eq('revision', revision));
      await chargers.update(same, { inc: { revision: 1 } });
      await rows.delete(unchanged(deleted), 1);
    },
    async before(at, limit) {
      const sort = [['deletedAt', 1] as const, ['_id', 1] as const];
      const found = await rows.findValues(lt('deletedAt', at), ['charger.chargerId', '_id', 'deletedAt'], {
        sort,
        limit,
      });
      return found.map(([chargerId, incarnationId, deletedAt]) => ({
        chargerId: String(chargerId),
        incarnationId: String(incarnationId),
        at: String(deletedAt),
      }));
    },
  };
}

function unchanged({ charger }: DeletedCharger): Filter {
  return and(eq('_id', charger.incarnationId), eq('charger.revision', charger.revision));
}

/** Before the charger is deleted at this revision. One of an earlier attempt is replaced. */
export async function putDeletedCharger(store: Store, charger: Charger, deletedAt: Timestamp): Promise<void> {
  const rows = store.collection(collections.deletedChargers);
  const row = { charger, deletedAt, isLast: false };
  if ((await rows.insert({ _id: charger.incarnationId, ...row })).inserted) return;
  await rows.update(eq('_id', charger.incarnationId), { set: { charger: asJson(charger), deletedAt, isLast: false } });
}
