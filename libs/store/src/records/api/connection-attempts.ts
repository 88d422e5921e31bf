import type { Records } from '@busbar/domain';
import type { ConnectionAttemptFilter } from '@busbar/domain/chargers';
import { and, eq, gte, lte, type Filter, type Store } from '../../port';
import { collections } from '../collections';
import { createListPage } from '../lists/list-page';
import { trim } from '../trim';

export function connectionAttemptRecords(store: Store): Records['connectionAttempts'] {
  const attempts = store.collection(collections.connectionAttempts);
  const attemptPage = createListPage(attempts);
  return {
    list: (filter, page) => attemptPage(filterOf(filter), page, '_id'),
    async insert(rows, { perCharger, unknown }) {
      if (rows.length === 0) return;
      await attempts.bulk(rows.map((row) => ({ insert: { _id: row.attemptId, ...row } })));
      const owned = rows.flatMap(({ clientId, chargerId }) => (clientId === null ? [] : [chargerId]));
      for (const chargerId of new Set(owned)) await trim(attempts, eq('chargerId', chargerId), 'at', perCharger);
      if (rows.some(({ clientId }) => clientId === null)) await trim(attempts, eq('clientId', null), 'at', unknown);
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
