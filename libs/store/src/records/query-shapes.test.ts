// Holds what the long lists ask of the store against the declared indexes: equality, then the order, then a range. So the
// same declaration serves MongoDB, where nothing here can measure, and SQLite, where it was measured.
import type { PageRequest, Records } from '@busbar/domain';
import type { StateFilter } from '@busbar/domain/history';
import type { SessionFilter } from '@busbar/domain/sessions';
import { createNotingStore, type NotedQuery } from '../noting-store.contract';
import type { Filter, IndexDefinition, Store } from '../port';
import { createRecords } from './create-records';
import { createDeadLetterStore } from './report-store';
import { createRetentionStore } from './retention-store';

/** The order by its paths alone. */
type ShapedQuery = Omit<NotedQuery, 'sort'> & { readonly sort: readonly string[] };

function notingStore(): { readonly store: Store; readonly queries: () => ShapedQuery[] } {
  const { store, queries } = createNotingStore();
  const shaped = ({ sort, ...rest }: NotedQuery): ShapedQuery => ({ ...rest, sort: sort.map(([path]) => path) });
  return { store, queries: () => queries.map(shaped) };
}

/** Why no index serves a query; undefined when one does. Each alternative of an `or` must find its own, and is then sorted. */
function unserved({ definition, filter, sort }: ShapedQuery): string | undefined {
  if (filter.op === 'or') {
    return filter.filters
      .map((each) => unserved({ definition, filter: each, sort: [] }))
      .find((why) => why !== undefined);
  }
  const leaves = leavesOf(filter);
  const equal = new Set(leaves.filter(({ op }) => op === 'eq').map(({ path }) => path));
  const ranged = new Set(leaves.filter(({ op }) => ['lt', 'lte', 'gt', 'gte'].includes(op)).map(({ path }) => path));
  const byId: IndexDefinition = { name: '_id', paths: [['_id', 1]], unique: true };
  const serves = (index: IndexDefinition) => servesInOrder(index, { equal, ranged, sort });
  if ([...definition.indexes, byId].some(serves)) return undefined;
  return `${definition.name}: ${JSON.stringify({ equal: [...equal], ranged: [...ranged], sort })}`;
}

/**
 * Why answering may walk past rows that are not wanted: no index begins with all that is equated and goes on in the order, or
 * a range beside it tempts SQLite to an index that begins with less.
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

/** What each row that fits has to fit, alternatives aside. */
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
const STATES: readonly StateFilter[] = [
  span,
  { ...span, chargerIds: ['a', 'b'] },
  { ...span, siteIds: [1, 2], socketIds: [1] },
  { ...span, siteIds: [1], chargerIds: ['a'] },
];

describe('every query of the long lists', () => {
  const asked = async (ask: (records: Records, store: Store) => Promise<unknown>): Promise<(string | undefined)[]> => {
    const { store, queries } = notingStore();
    await ask(createRecords(store), store);
    expect(queries().length).toBeGreaterThan(0);
    return queries()
      .map(unserved)
      .filter((why) => why !== undefined);
  };

  it.each(SESSIONS)('of sessions by %j is served by an index', async (filter) => {
    expect(await asked(({ sessions }) => sessions.list('c', filter, page('startTime')))).toEqual([]);
    const byStart = { sortKey: 'startTime', limit: 1000 } as const;
    expect(await asked(({ sessions }) => sessions.search('c', filter, byStart))).toEqual([]);
  });

  it('of sessions by their end is served by an index', async () => {
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
  ])('of sessions by %j walks past no others, whatever they are sorted by', async (filter) => {
    for (const sortKey of ['startTime', 'endTime'] as const) {
      const { store, queries } = notingStore();
      const { sessions } = createRecords(store);
      await sessions.list('c', filter, page(sortKey));
      await sessions.search('c', filter, { sortKey, limit: 1000 });
      const sorted = queries().filter(({ sort }) => sort.length > 0);
      expect(sorted.length).toBeGreaterThan(0);
      expect(sorted.map(walksPast).filter((why) => why !== undefined)).toEqual([]);
    }
  });

  it('of sessions by both their start and their end is answered from an index alone', async () => {
    const { store, queries } = notingStore();
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
  ])('of transactions by %j reads no session, but an index that has all that is shown', async (filter) => {
    for (const sortKey of ['startTime', 'endTime'] as const) {
      const { store, queries } = notingStore();
      await createRecords(store).sessions.search('c', filter, { sortKey, limit: 1000 });
      expect(queries().length).toBeGreaterThan(0);
      for (const { definition, filter: asked, sort, values } of queries()) {
        const read = [...leavesOf(asked).map(({ path }) => path), ...sort, ...(values ?? ['a document'])];
        const holdsAll = ({ paths }: IndexDefinition) => read.every((path) => paths.some(([held]) => held === path));
        expect(definition.indexes.some(holdsAll)).toBe(true);
      }
    }
  });

  it.each(STATES)('of state changes by %j is served by an index', async (filter) => {
    expect(await asked(({ history }) => history.countStates('c', filter))).toEqual([]);
    const { store, queries } = notingStore();
    await createRecords(store).history.statePage('c', filter, page('at'));
    // In the log's layout SQLite sorts what it found in each block, so the order need not be in the index.
    expect(
      queries()
        .map((query) => unserved({ ...query, sort: [] }))
        .filter((why) => why !== undefined),
    ).toEqual([]);
  });

  it('of the OCPP log, meter values, tags and statistics is served by an index', async () => {
    const all = { includeHeartbeats: false };
    const found = [
      await asked(({ history }) => history.logPage('i', all, page('recorded'))),
      await asked(({ history }) => history.logPage('i', { ...all, ...span, actions: ['Reset'] }, page('recorded'))),
      await asked(({ sessions }) => sessions.meterValuesPage('s', page('receivedAt'))),
      await asked(({ tags }) => tags.list('c', {}, page('idTag'))),
      await asked(({ tags }) => tags.list('c', {}, page('tokenName'))),
      await asked(({ tags }) => tags.list('c', { search: 'a' }, page('idTag'))),
      await asked(({ statistics }) => statistics.read('c', new Date())),
      await asked(({ sessions }) => sessions.ongoingAfter(7, 200)),
      await asked(({ chargers }) => chargers.countSockets('c', undefined)),
      await asked(({ chargers }) => chargers.countSockets('c', [1, 2])),
    ];
    expect(found.flat()).toEqual([]);
  });

  it.each([{}, { clientId: 'c' }, { clientId: 'c', chargerId: 'A' }, { chargerId: 'A', ...span }])(
    'of connection attempts by %j is served by an index',
    async (filter) => {
      const found = asked(({ connectionAttempts }) =>
        connectionAttempts.list({ from: span.from, ...filter }, page('at')),
      );
      expect(await found).toEqual([]);
    },
  );

  it('of the retention is served by an index', async () => {
    const at = '2026-01-01T00:00:00.000Z';
    const before = {
      log: at,
      history: at,
      sessions: at,
      keys: at,
      answers: at,
      claims: at,
      attempts: at,
      commands: at,
      gateways: at,
    };
    expect(await asked((_records, store) => createRetentionStore(store).prune(before, 500))).toEqual([]);
    expect(await asked((_records, store) => createRetentionStore(store).pruneDeadLetters(at, 500))).toEqual([]);
  });

  it('of dead letters, from either end and behind one, is served by an index', async () => {
    const after = { at: '2026-01-01T00:00:00.000Z', deadLetterId: 'd' };
    for (const newestFirst of [true, false]) {
      const found = asked((_records, store) => createDeadLetterStore(store).list(1000, { newestFirst, after }));
      expect(await found).toEqual([]);
    }
  });

  it('would be told from one that is not', async () => {
    const { store, queries } = notingStore();
    await createRecords(store).sessions.list('c', {}, page('endTime'));
    const [query] = queries().filter(({ sort }) => sort.length > 0);
    if (query === undefined) throw new Error('nothing was asked');
    expect(unserved({ ...query, sort: ['consumptionWh'] })).toMatch(/^sessions:/);
    expect(unserved({ ...query, filter: { op: 'and', filters: [] } })).toMatch(/^sessions:/);
  });
});
