// Compares the queries of the long lists with the declared indexes: equality, then the order, then a range. So the same
// declaration serves SQLite, where it was measured, and MongoDB, where these tests cannot measure.
import { createId } from '@busbar/core';
import type { PageRequest, Place, Records } from '@busbar/domain';
import { readChargerLog, type StateFilter } from '@busbar/domain/history';
import type { SessionFilter } from '@busbar/domain/sessions';
import { newCharger, newDeadDelivery, newWebhook, storedChargers } from '@busbar/domain/testing';
import { createRecordingStore, type RecordedQuery } from '../recording-store.contract';
import type { Filter, IndexDefinition, Store } from '../port';
import { createRecords } from './create-records';
import { createDeadLetterStore } from './charger-state/report-store';
import { createRetentionStore } from './charger-state/retention-store';

/** A query whose order is reduced to its paths. */
type ShapedQuery = Omit<RecordedQuery, 'sort'> & { readonly sort: readonly string[] };

function recordingStore(): { readonly store: Store; readonly queries: () => ShapedQuery[] } {
  const { store, queries } = createRecordingStore();
  const shaped = ({ sort, ...rest }: RecordedQuery): ShapedQuery => ({ ...rest, sort: sort.map(([path]) => path) });
  return { store, queries: () => queries.map(shaped) };
}

/**
 * Returns why no index serves a query; undefined when one does. Each alternative of an `or` needs its own, and is then
 * sorted.
 */
function unserved({ definition, filter, sort: order }: ShapedQuery): string | undefined {
  if (filter.op === 'or') {
    return filter.filters
      .map((each) => unserved({ definition, filter: each, sort: [] }))
      .find((why) => why !== undefined);
  }
  const leaves = leavesOf(filter);
  const equal = new Set(leaves.filter(({ op }) => op === 'eq').map(({ path }) => path));
  const ranges = leaves.filter(({ op, path }) => ['lt', 'lte', 'gt', 'gte'].includes(op) && !equal.has(path));
  const ranged = new Set(ranges.map(({ path }) => path));
  // A path that is equated does not order.
  const sort = order.filter((path) => !equal.has(path));
  const byId: IndexDefinition = { name: '_id', paths: [['_id', 1]], unique: true };
  const serves = (index: IndexDefinition) => servesInOrder(index, { equal, ranged, sort });
  if ([...definition.indexes, byId].some(serves)) return undefined;
  return `${definition.name}: ${JSON.stringify({ equal: [...equal], ranged: [...ranged], sort })}`;
}

/**
 * Returns why a query may walk past unwanted rows; undefined when it does not. In one case no index begins with all equated
 * paths and continues in the order. In the other, a range tempts SQLite to an index that begins with fewer of them.
 */
function walksPast({ definition, filter, sort }: ShapedQuery): string | undefined {
  const needed = neededOf(filter);
  const equal = new Set(needed.flatMap(({ op, path }) => (op === 'eq' ? [path] : [])));
  const ranged = new Set(needed.flatMap(({ op, path }) => (['gte', 'lte'].includes(op) ? [path] : [])));
  const leads = ({ paths }: IndexDefinition) => {
    const names = paths.map(([path]) => path);
    const head = names.slice(0, equal.size);
    return head.every((path) => equal.has(path)) && sort.every((path, i) => names[equal.size + i] === path);
  };
  const isTempted = equal.size > 1 && ranged.size > 1;
  if (definition.indexes.some(leads) && !isTempted) return undefined;
  return `${definition.name}: ${JSON.stringify({ equal: [...equal], ranged: [...ranged], sort })}`;
}

/** The conditions that every matching row meets, without alternatives. */
function neededOf(filter: Filter): ReturnType<typeof leavesOf> {
  if (filter.op === 'and') return filter.filters.flatMap(neededOf);
  return 'filters' in filter ? [] : [filter];
}

function servesInOrder(
  { paths, unique }: IndexDefinition,
  wanted: {
    readonly equal: ReadonlySet<string>;
    readonly ranged: ReadonlySet<string>;
    readonly sort: readonly string[];
  },
): boolean {
  const names = paths.map(([path]) => path);
  const other = names.findIndex((name) => !wanted.equal.has(name));
  const equalities = other === -1 ? names.length : other;
  if (unique === true && equalities === names.length) return true;
  const rest = names.slice(equalities);
  const isSorted = wanted.sort.every((path, i) => rest[i] === path);
  const narrows = equalities > 0 || wanted.ranged.has(rest[0] ?? '');
  const rangeIsNext = wanted.ranged.size === 0 || wanted.ranged.has(rest[0] ?? '');
  return narrows && isSorted && (rangeIsNext || wanted.sort.length > 0);
}

function leavesOf(filter: Filter): Exclude<Filter, { readonly filters: readonly Filter[] }>[] {
  return 'filters' in filter ? filter.filters.flatMap(leavesOf) : [filter];
}

const page = <K extends string>(sortKey: K): PageRequest<K> => ({ page: 1, limit: 100, sortKey, sortDescending: true });
const times = { startedFrom: '2026-01-01', startedTo: '2026-02-01' };
const ends = { endedFrom: '2026-01-01', endedTo: '2026-02-01' };
const span = { from: '2026-01-01', to: '2026-02-01' };

const names = (count: number): string[] => Array.from({ length: count }, (_, n) => `name-${String(n)}`);

const SESSIONS: readonly SessionFilter[] = [
  {},
  times,
  { chargerIds: ['a'] },
  { chargerIds: ['a', 'b'], ...times },
  { siteIds: [1, 2] },
  { siteIds: [1], ...times },
  { idTags: ['x', 'y'] },
  { idTags: ['x'], chargerIds: ['a'], siteIds: [1], state: 'ended', ...times },
  { commandId: 'k' },
  { commandId: 'k', ...times, chargerIds: ['a'] },
  { search: '7' },
  { search: 'ACME', chargerIds: ['a'] },
  { authorization: 'refused' },
  { authorization: 'refused', ...times },
  { authorization: 'refused', chargerIds: ['a'], state: 'ended' },
  { authorization: 'accepted', ...times },
  { authorization: 'accepted', chargerIds: ['a'], state: 'ended' },
  { withoutRefused: true, ...times },
];
/** By cursor: each part of what follows a place is a range of one index. */
const places = {
  text: { value: 'a', tie: 'b' },
  missing: { value: null, tie: 'b' },
  number: { value: 'a', tie: 7 },
};
const since = { updatedSince: '2026-01-01T00:00:00.000Z' };
const STATES: readonly StateFilter[] = [
  span,
  { ...span, chargerIds: ['a', 'b'] },
  { ...span, siteIds: [1, 2], socketIds: [1] },
  { ...span, siteIds: [1], chargerIds: ['a'] },
];

describe('every long list', () => {
  const asked = async (ask: (records: Records, store: Store) => Promise<unknown>): Promise<(string | undefined)[]> => {
    const { store, queries } = recordingStore();
    await ask(createRecords(store), store);
    expect(queries().length).toBeGreaterThan(0);
    return queries()
      .map(unserved)
      .filter((why) => why !== undefined);
  };

  it.each(SESSIONS)('queries sessions by %j from an index', async (filter) => {
    expect(await asked(({ sessions }) => sessions.list('c', filter, page('startTime')))).toEqual([]);
    const byStart = { sortKey: 'startTime', limit: 1000 } as const;
    expect(await asked(({ sessions }) => sessions.search('c', filter, byStart))).toEqual([]);
  });

  it('queries sessions by their end from an index', async () => {
    expect(await asked(({ sessions }) => sessions.list('c', {}, page('endTime')))).toEqual([]);
    expect(await asked(({ sessions }) => sessions.list('c', ends, page('endTime')))).toEqual([]);
    expect(await asked(({ sessions }) => sessions.search('c', ends, { sortKey: 'endTime', limit: 1000 }))).toEqual([]);
  });

  it.each<SessionFilter>([
    {},
    { chargerIds: ['a', 'b'] },
    { chargerIds: ['a'], ...ends },
    { chargerIds: ['a', 'b'], ...ends, ...times },
    { siteIds: [1, 2] },
    { idTags: ['x', 'y'], ...ends },
    { idTags: ['x'], chargerIds: ['a'], siteIds: [1], state: 'ended' },
    { search: 'ACME', state: 'ended' },
    { state: 'superseded' },
    { authorization: 'refused' },
    { authorization: 'refused', chargerIds: ['a', 'b'] },
    { authorization: 'accepted', chargerIds: ['a', 'b'], ...ends },
    { withoutRefused: true, siteIds: [1, 2], ...ends },
    { state: 'ongoing', ...times },
  ])('walks past no unwanted sessions by %j in any order', async (filter) => {
    for (const sortKey of ['startTime', 'endTime'] as const) {
      const { store, queries } = recordingStore();
      const { sessions } = createRecords(store);
      await sessions.list('c', filter, page(sortKey));
      await sessions.search('c', filter, { sortKey, limit: 1000 });
      const sorted = queries().filter(({ sort }) => sort.length > 0);
      expect(sorted.length).toBeGreaterThan(0);
      expect(sorted.map(walksPast).filter((why) => why !== undefined)).toEqual([]);
    }
  });

  it('queries sessions by their start and their end from a covering index', async () => {
    const { store, queries } = recordingStore();
    const { sessions } = createRecords(store);
    for (const sortKey of ['startTime', 'endTime'] as const) {
      await sessions.search('c', { ...times, ...ends }, { sortKey, limit: 1000 });
    }
    const covered = queries().filter(({ definition: { indexes }, filter, sort }) => {
      const read = [...leavesOf(filter).map(({ path }) => path), ...sort];
      return indexes.some(
        ({ paths }) => paths[1]?.[0] === sort[0] && read.every((wanted) => paths.some(([path]) => path === wanted)),
      );
    });
    expect(covered).toHaveLength(2);
  });

  it.each<SessionFilter>([
    { withoutRefused: true, ...times, ...ends },
    { withoutRefused: true, chargerIds: names(3) },
    { chargerIds: names(2) },
    { chargerIds: names(100) },
    { chargerIds: names(100), ...times, ...ends },
    { siteIds: [1, 2, 3], ...ends },
    { idTags: names(50), ...times },
  ])('searches transactions by %j in a covering index', async (filter) => {
    for (const sortKey of ['startTime', 'endTime'] as const) {
      const { store, queries } = recordingStore();
      await createRecords(store).sessions.search('c', filter, { sortKey, limit: 1000 });
      expect(queries().length).toBeGreaterThan(0);
      for (const { definition, filter: asked, sort, values } of queries()) {
        const read = [...leavesOf(asked).map(({ path }) => path), ...sort, ...(values ?? ['a document'])];
        const coversAll = ({ paths }: IndexDefinition) =>
          read.every((path) => paths.some(([covered]) => covered === path));
        expect(definition.indexes.some(coversAll)).toBe(true);
      }
    }
  });

  it.each(STATES)('queries state changes by %j from an index', async (filter) => {
    expect(await asked(({ history }) => history.countStates('c', filter))).toEqual([]);
    const { store, queries } = recordingStore();
    await createRecords(store).history.statePage('c', filter, page('at'));
    // In the log's layout SQLite sorts the rows of each block, so the index need not have the order.
    expect(
      queries()
        .map((query) => unserved({ ...query, sort: [] }))
        .filter((why) => why !== undefined),
    ).toEqual([]);
  });

  it('queries what changed since a time, and what follows a place in any order, from an index', async () => {
    const found: unknown[] = [];
    for (const sortDescending of [false, true]) {
      const after = (place: Place) => ({ page: 2, limit: 100, sortDescending, after: place });
      const list = async (ask: (records: Records) => Promise<unknown>) => found.push(...(await asked(ask)));
      for (const sortKey of ['chargerId', 'name', 'createdAt', 'updatedAt'] as const)
        await list(({ chargers }) => chargers.list('c', {}, { ...after(places.text), sortKey }));
      for (const place of [places.number, { value: null, tie: 7 }]) {
        for (const sortKey of ['id', 'name', 'city', 'country', 'createdAt', 'updatedAt'] as const)
          await list(({ sites }) => sites.list('c', {}, { ...after(place), sortKey }));
        for (const filter of [{}, since, { chargerIds: ['a', 'b'] }, { siteIds: [1], ...since }, { search: 'a' }]) {
          for (const sortKey of ['startTime', 'endTime', 'updatedAt'] as const)
            await list(({ sessions }) => sessions.list('c', filter, { ...after(place), sortKey }));
        }
      }
      for (const place of [places.text, places.missing]) {
        for (const filter of [{}, since, { search: 'a' }]) {
          for (const sortKey of ['idTag', 'tokenName', 'updatedAt'] as const)
            await list(({ tags }) => tags.list('c', filter, { ...after(place), sortKey }));
        }
      }
      const byChange = { page: 1, limit: 100, sortDescending, sortKey: 'updatedAt' } as const;
      await list(({ chargers }) => chargers.list('c', since, byChange));
      await list(({ chargers }) => chargers.list('c', { ...since, state: 'Offline' }, byChange));
      await list(({ sites }) => sites.list('c', since, byChange));
      await list(({ tags }) => tags.list('c', since, byChange));
      await list(({ sessions }) => sessions.list('c', { ...since, chargerIds: names(100) }, byChange));
    }
    expect(found).toEqual([]);
  });

  it('queries the OCPP log, meter values, tags and statistics from an index', async () => {
    const all = { includeHeartbeats: false };
    const found = [
      await asked(({ history }) => history.logPage('i', all, page('recorded'))),
      await asked(({ history }) => history.logPage('i', { ...all, ...span, actions: ['Reset'] }, page('recorded'))),
      await asked(({ history }) => history.eventPage('i', {}, page('receivedAt'))),
      await asked(({ history }) => history.eventPage('i', { ...span, component: 'c' }, page('receivedAt'))),
      await asked(({ sessions }) => sessions.meterValuesPage('s', page('receivedAt'))),
      await asked(({ sessions }) => sessions.transactionEventsPage('s', page('seqNo'))),
      await asked(({ tags }) => tags.list('c', {}, page('idTag'))),
      await asked(({ tags }) => tags.list('c', {}, page('tokenName'))),
      await asked(({ tags }) => tags.list('c', { search: 'a' }, page('idTag'))),
      await asked(({ statistics }) => statistics.read('c', new Date())),
      await asked(({ sessions }) => sessions.ongoingAfter(7, 200)),
      await asked(({ sessions }) => sessions.findLastStarts('c', ['a', 'b'])),
      await asked(({ chargers }) => chargers.countSockets('c', undefined)),
      await asked(({ chargers }) => chargers.countSockets('c', [1, 2])),
    ];
    expect(found.flat()).toEqual([]);
  });

  it('queries the frames of a command from an index, in a range with two ends', async () => {
    const { store, queries } = recordingStore();
    const chargers = storedChargers(newCharger({ clientId: 'c', chargerId: 'A' }));
    const deps = { chargers, history: createRecords(store).history };
    const ofCommand = { includeHeartbeats: true, commandId: createId() };
    await readChargerLog(deps, { clientId: 'c', chargerId: 'A' }, ofCommand, page('recorded'));
    const ends = queries().map(({ filter }) =>
      leavesOf(filter).flatMap(({ op, path }) => (path === '_id' ? [op] : [])),
    );
    expect(ends.length).toBeGreaterThan(0);
    expect(new Set(ends.map(String))).toEqual(new Set(['gte,lt']));
    expect(queries().map(unserved)).toEqual(ends.map(() => undefined));
  });

  it.each([{}, { clientId: 'c' }, { clientId: 'c', chargerId: 'A' }, { chargerId: 'A', ...span }])(
    'queries connection attempts by %j from an index',
    async (filter) => {
      const found = asked(({ connectionAttempts }) =>
        connectionAttempts.list({ from: span.from, ...filter }, page('at')),
      );
      expect(await found).toEqual([]);
    },
  );

  it.each([{}, span])('queries connections by %j from an index', async (filter) => {
    const found = asked(({ connectionHistory }) => connectionHistory.list('i', filter, page('connectedAt')));
    expect(await found).toEqual([]);
  });

  it.each([
    {},
    span,
    { outcome: 'delivered' as const, ...span },
    { outcome: 'failed' as const, ...span },
    { eventId: 'e' },
    { eventId: 'e', outcome: 'refused' as const },
    { chargerId: 'A', ...span },
    { chargerId: 'A', eventId: 'e', outcome: 'failed' as const },
  ])('queries delivery attempts by %j from an index', async (filter) => {
    expect(await asked(({ deliveryLog }) => deliveryLog.list('wh', filter, page('at')))).toEqual([]);
  });

  it('queries webhooks and the events that were not delivered to them from an index', async () => {
    const found = [
      await asked(({ webhooks }) => webhooks.listOf('c')),
      await asked(({ webhooks }) => webhooks.listAfter('wh', 100)),
      await asked(({ webhooks }) => webhooks.insert(newWebhook())),
      await asked(({ webhooks }) => webhooks.delete('c', 'wh')),
      await asked(({ deadDeliveries }) => deadDeliveries.list('wh', page('parkedAt'))),
      await asked(({ deadDeliveries }) => deadDeliveries.insert(newDeadDelivery())),
      await asked(({ deadDeliveries }) => deadDeliveries.count('wh')),
    ];
    expect(found.flat()).toEqual([]);
  });

  it('queries expired rows for retention from an index', async () => {
    const at = '2026-01-01T00:00:00.000Z';
    const before = {
      log: at,
      history: at,
      sessions: at,
      keys: at,
      answers: at,
      claims: at,
      attempts: at,
      deliveries: at,
      deadDeliveries: at,
      commands: at,
      gateways: at,
    };
    expect(await asked((_records, store) => createRetentionStore(store).prune(before, 500))).toEqual([]);
    expect(await asked((_records, store) => createRetentionStore(store).pruneDeadLetters(at, 500))).toEqual([]);
  });

  it('queries dead letters, from either end and after a cursor, from an index', async () => {
    const after = { at: '2026-01-01T00:00:00.000Z', deadLetterId: 'd' };
    for (const newestFirst of [true, false]) {
      const found = asked((_records, store) => createDeadLetterStore(store).list(1000, { newestFirst, after }));
      expect(await found).toEqual([]);
    }
  });

  it('detects an order or a filter that no index serves', async () => {
    const { store, queries } = recordingStore();
    await createRecords(store).sessions.list('c', {}, page('endTime'));
    const [query] = queries().filter(({ sort }) => sort.length > 0);
    if (query === undefined) throw new Error('nothing was asked');
    expect(unserved({ ...query, sort: ['consumptionWh'] })).toMatch(/^sessions:/);
    expect(unserved({ ...query, filter: { op: 'and', filters: [] } })).toMatch(/^sessions:/);
  });
});
