import type { Records } from '@busbar/domain';
import type { ConnectionAttemptFilter } from '@busbar/domain/chargers';
import { and, eq, gte, lt, lte, or, type Filter, type Store } from '../port';
import { connectionAttemptsCollection } from './collections';
import { createListPage } from './list-page';

export function connectionAttemptRecords(store: Store): Records['connectionAttempts'] {
  const attempts = store.collection(connectionAttemptsCollection);
  const attemptPage = createListPage(attempts);

  /** Deletes all but the newest `most`. */
  async function trim(filter: Filter, most: number): Promise<void> {
    const sort = [['at', -1] as const, ['_id', -1] as const];
    const [last] = await attempts.find(filter, { sort, skip: most, limit: 1, fields: ['at'] });
    if (last === undefined) return;
    const { _id, at } = last;
    await attempts.delete(and(filter, or(lt('at', at), and(eq('at', at), lte('_id', _id)))));
  }

  return {
    list: (filter, page) => attemptPage(filterOf(filter), page, '_id'),
    async keep(rows, { perCharger, unknown }) {
      if (rows.length === 0) return;
      await attempts.bulk(rows.map((row) => ({ insert: { _id: row.attemptId, ...row } })));
      const owned = rows.flatMap(({ clientId, chargerId }) => (clientId === null ? [] : [chargerId]));
      for (const chargerId of new Set(owned)) {
        await trim(and(eq('chargerId', chargerId)), perCharger);
      }
      if (rows.some(({ clientId }) => clientId === null)) await trim(eq('clientId', null), unknown);
    },
  };
}

function filterOf({ clientId, chargerId, from, to }: ConnectionAttemptFilter): Filter {
  return and(
    ...(clientId === undefined ? [] : [eq('clientId', clientId)]),
    ...(chargerId === undefined ? [] : [eq('chargerId', chargerId)]),
    ...(from === undefined ? [] : [gte('at', from)]),
    ...(to === undefined ? [] : [lte('at', to)]),
  );
}
