// Readers of sessions and of history rows.
import type { Records } from '@busbar/domain';
import type { StateCount } from '@busbar/domain/history';
import { SESSIONS_OF_KEY, type SessionSummary } from '@busbar/domain/sessions';
import { and, eq, gt, lte, oneOf, type Group, type Scalar, type Store } from '../../port';
import { changedAt, type Now } from '../change-time';
import { SUMMARY_PATHS, collections } from '../collections';
import { createFindTogether, createValuesTogether, type Alternatives } from '../lists/find-together';
import { eventFilter, logFilter, stateFilters } from './history-filter';
import { createCachedCount } from '../lists/cached-count';
import { createListPage } from '../lists/list-page';
import { sessionFilters } from './session-filter';

export function sessionRecords(store: Store, now: Now): Records['sessions'] {
  const sessions = store.collection(collections.sessions);
  const meterValues = store.collection(collections.meterValues);
  const sessionPage = createListPage(sessions, collections.sessions.indexes);
  const findTogether = createFindTogether(sessions, collections.sessions.indexes);
  const valuesTogether = createValuesTogether(sessions, collections.sessions.indexes);
  const meterValuesPage = createListPage(meterValues);
  const transactionEventsPage = createListPage(store.collection(collections.transactionEvents));
  return {
    findByIds: async (ids) => (ids.length === 0 ? [] : sessions.find(oneOf('_id', ids))),
    findByTransactions: async (ids) => (ids.length === 0 ? [] : sessions.find(oneOf('transactionId', ids))),
    async findByDeviceKeys(keys) {
      const newest = { sort: [['transactionId', -1] as const], limit: SESSIONS_OF_KEY };
      return (await Promise.all(keys.map((key) => sessions.find(eq('device.key', key), newest)))).flat();
    },
    async findOngoingByTags(clientId, idTagKeys) {
      if (idTagKeys.length === 0) return [];
      return sessions.find(and(eq('clientId', clientId), eq('state', 'ongoing'), oneOf('idTagKey', idTagKeys)));
    },
    async findLastStarts(clientId, idTagKeys) {
      // Of each tag the first entry of its range of the index.
      const newest = { sort: [['startTime', -1] as const, ['transactionId', -1] as const], limit: 1 };
      const found = await Promise.all(
        idTagKeys.map(async (key): Promise<[string, Scalar | undefined]> => {
          const ofTag = and(eq('clientId', clientId), eq('idTagKey', key));
          const [row] = await sessions.findValues(ofTag, ['startTime'], newest);
          return [key, row?.[0]];
        }),
      );
      return new Map(found.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
    },
    async ongoingAfter(after, limit) {
      const ongoing = and(eq('state', 'ongoing'), gt('transactionId', after));
      const paths = ['transactionId', 'chargerId', 'incarnationId'];
      const found = await sessions.findValues(ongoing, paths, { sort: [['transactionId', 1]], limit });
      return found.map(([transactionId, chargerId, incarnationId]) => ({
        transactionId: Number(transactionId),
        chargerId: String(chargerId),
        incarnationId: String(incarnationId),
      }));
    },
    list: (clientId, filter, page) =>
      sessionPage(sessionFilters(clientId, filter, page.sortKey), page, 'transactionId'),
    async search(clientId, filter, { sortKey, limit }) {
      const sort = [[sortKey, 1] as const, ['transactionId', 1] as const];
      const filters = sessionFilters(clientId, filter, sortKey);
      const part = { sort, skip: 0, limit };
      const summaries = await valuesTogether(filters, SUMMARY_PATHS, part);
      return summaries?.values.map(summaryOf) ?? (await findTogether(filters, part)).items;
    },
    async abandon(chargerId, incarnationId) {
      const ongoing = and(eq('chargerId', chargerId), eq('incarnationId', incarnationId), eq('state', 'ongoing'));
      await sessions.update(ongoing, { set: { state: 'superseded' }, ...changedAt(now()) }, { many: true });
    },
    async end({ sessionId, state }, end) {
      const open = and(eq('_id', sessionId), eq('state', state), eq('endTime', null));
      return (await sessions.update(open, { set: { ...end, endedBy: 'operator' }, ...changedAt(now()) })) === 1;
    },
    async endAnnounced(sessionId) {
      // Nothing that anybody reads has changed.
      await sessions.update(eq('_id', sessionId), { set: { endUnannounced: false } });
    },
    meterValuesPage: (sessionId, page) => meterValuesPage(eq('sessionId', sessionId), page, '_id'),
    transactionEventsPage: (sessionId, page) => transactionEventsPage(eq('sessionId', sessionId), page, '_id'),
  };
}

function summaryOf(values: readonly Scalar[]): SessionSummary {
  // Each value has its type: they are the values at those paths of a session.
  return Object.fromEntries(SUMMARY_PATHS.map((path, at) => [path, values[at]])) as unknown as SessionSummary;
}

export function historyRecords(store: Store): Records['history'] {
  const log = store.collection(collections.ocppLog);
  const stateChanges = store.collection(collections.stateChanges);
  const logPage = createListPage(log);
  const statePage = createListPage(stateChanges);
  // The counts are shown on each page of a list.
  const countsOf = createCachedCount<Alternatives, StateCount[]>(
    async (filters) => {
      const parts = await Promise.all(filters.map((part) => stateChanges.countGroups(['dayState'], part)));
      return parts.flat().flatMap(stateCountOf);
    },
    (counts) => counts.reduce((sum, { count }) => sum + count, 0),
  );
  const events = store.collection(collections.events);
  const eventPage = createListPage(events);
  return {
    log: (incarnationId, limit) => log.find(eq('incarnationId', incarnationId), { sort: [['_id', -1]], limit }),
    logPage: (incarnationId, filter, page) =>
      logPage(logFilter(incarnationId, filter), { ...page, sortKey: '_id' }, '_id'),
    async newestLogId(incarnationId) {
      const [newest] = await log.findValues(eq('incarnationId', incarnationId), ['_id'], {
        sort: [['_id', -1]],
        limit: 1,
      });
      return newest === undefined ? undefined : String(newest[0]);
    },
    async logIds(incarnationId, { after, upTo, limit }) {
      const range = [gt('_id', after), ...(upTo === undefined ? [] : [lte('_id', upTo)])];
      const wanted = and(eq('incarnationId', incarnationId), ...range);
      return (await log.findValues(wanted, ['_id'], { sort: [['_id', 1]], limit })).map(([id]) => String(id));
    },
    logRows: (incarnationId, rowIds) =>
      rowIds.length === 0
        ? Promise.resolve([])
        : log.find(and(eq('incarnationId', incarnationId), oneOf('_id', rowIds)), { sort: [['_id', 1]] }),
    statePage: (clientId, filter, page) => statePage(stateFilters(clientId, filter), page, '_id'),
    countStates: (clientId, filter) => countsOf(stateFilters(clientId, filter)),
    eventPage: (incarnationId, filter, page) =>
      eventPage(eventFilter(incarnationId, filter), { ...page, sortKey: '_id' }, '_id'),
    async events({ chargerId, incarnationId }, actions, limit) {
      // One read for each action, since each has its own range of the index.
      const found = await Promise.all(
        actions.map((action) =>
          events.find(and(eq('chargerId', chargerId), eq('action', action), eq('incarnationId', incarnationId)), {
            sort: [
              ['receivedAt', -1],
              ['_id', -1],
            ],
            limit,
          }),
        ),
      );
      return found
        .flat()
        .sort((a, b) => compare(b.receivedAt, a.receivedAt) || compare(b.rowId, a.rowId))
        .slice(0, limit);
    },
  };
}

function stateCountOf({ values: [value], count }: Group): StateCount[] {
  if (typeof value !== 'string') return [];
  const [day = '', state = ''] = value.split(' ');
  return [{ day, state, count }];
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
