// The server explains each query of the long lists: an index serves it. records/query-shapes.test.ts compares the queries
// with the declared indexes. A server without explain, such as the stand-in, is queried too.
import { createConnection, type mongo } from 'mongoose';
import { createRecordingLogger, describeWithDocumentServer } from '@busbar/testing';
import { createRecordingStore, type RecordedQuery } from '../recording-store.contract';
import { allCollections } from '../records/collections';
import { createRecords } from '../records/create-records';
import { filterQuery } from './filter-query';
import { createMongoStore } from './mongo-store';

const PAGE = { page: 1, limit: 50, sortDescending: true } as const;
const SPAN = { from: '2026-01-01', to: '2026-02-01' };
/** The error code of a server without that command. */
const NO_SUCH_COMMAND = 59;

/** Collects the queries of the lists. */
async function askedQueries(): Promise<readonly RecordedQuery[]> {
  const { store, queries } = createRecordingStore();
  const { sessions, history, chargers, tags, sites } = createRecords(store);
  for (const sortKey of ['startTime', 'endTime'] as const) {
    for (const filter of [
      {},
      { chargerIds: ['a', 'b'] },
      { siteIds: [1] },
      { idTags: ['x'] },
      { state: 'ended' },
    ] as const) {
      await sessions.list('c', filter, { ...PAGE, sortKey });
    }
  }
  await sessions.ongoingAfter(7, 200);
  await history.statePage('c', SPAN, { ...PAGE, sortKey: 'at' });
  await history.statePage('c', { ...SPAN, chargerIds: ['a'] }, { ...PAGE, sortKey: 'at' });
  await history.countStates('c', SPAN);
  await history.logPage('i', { includeHeartbeats: false, ...SPAN }, { ...PAGE, sortKey: 'recorded' });
  for (const sortKey of ['chargerId', 'name', 'createdAt'] as const) {
    await chargers.list('c', {}, { ...PAGE, sortKey });
    await chargers.list('c', { siteIds: [1], manufacturer: 'Acme' }, { ...PAGE, sortKey });
    await chargers.list('c', { search: 'a' }, { ...PAGE, sortKey });
  }
  await chargers.countSockets('c', [1, 2]);
  await chargers.countSockets('c', undefined);
  await tags.list('c', { search: 'a' }, { ...PAGE, sortKey: 'tokenName' });
  await sites.list('c', {}, { ...PAGE, sortKey: 'name' });
  const after = { value: 'a', tie: 'b' };
  for (const page of [PAGE, { ...PAGE, sortDescending: false, after }]) {
    const byChange = { ...page, sortKey: 'updatedAt' } as const;
    const since = { updatedSince: '2026-01-01' };
    await chargers.list('c', since, byChange);
    await sites.list('c', since, { ...byChange, ...('after' in page ? { after: { value: 'a', tie: 7 } } : {}) });
    await tags.list('c', since, byChange);
    await sessions.list('c', since, { ...byChange, ...('after' in page ? { after: { value: 'a', tie: 7 } } : {}) });
  }
  return queries;
}

/** Counts the stages of a plan that scan a collection. */
function scans(plan: unknown): number {
  if (typeof plan !== 'object' || plan === null) return 0;
  const own = (plan as { stage?: unknown }).stage === 'COLLSCAN' ? 1 : 0;
  return Object.values(plan).reduce<number>((sum, part) => sum + scans(part), own);
}

describeWithDocumentServer('MongoDB', (server) => {
  it('serves every query of the long lists from an index, where the server can explain it', async () => {
    const store = createMongoStore({ url: server().url, logger: createRecordingLogger() });
    for (const definition of allCollections) store.collection(definition);
    await store.start();
    await store.stop();
    const connection = await createConnection(server().url).asPromise();
    try {
      const queries = await askedQueries();
      expect(queries.length).toBeGreaterThan(40);
      for (const { definition, filter, sort } of queries) {
        const cursor = connection
          .collection(definition.name)
          .find(filterQuery(filter) as mongo.Filter<mongo.BSON.Document>);
        const plan: unknown = await cursor
          .sort(Object.fromEntries(sort))
          .explain('queryPlanner')
          .catch((error: unknown) => {
            // A missing command is the only tolerated error.
            expect(error).toMatchObject({ code: NO_SUCH_COMMAND });
          });
        expect([definition.name, filter, scans(plan)]).toEqual([definition.name, filter, 0]);
      }
    } finally {
      await connection.close();
    }
  });

  it('detects a plan that scans a collection', () => {
    expect(scans({ winningPlan: { stage: 'SORT', inputStage: { stage: 'COLLSCAN' } } })).toBe(1);
    expect(scans({ winningPlan: { stage: 'FETCH', inputStage: { stage: 'IXSCAN' } } })).toBe(0);
  });
});
