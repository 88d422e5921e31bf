// An empty store that records its queries, for tests of the queries that the records make.
import type { Collection, CollectionDefinition, Document, Filter, FindOptions, Store } from './port';

export interface RecordedQuery {
  readonly definition: CollectionDefinition<Document>;
  readonly filter: Filter;
  readonly sort: readonly (readonly [path: string, direction: 1 | -1])[];
  /** The requested paths, for a query of values instead of documents. */
  readonly values?: readonly string[];
}

export function createRecordingStore(): { readonly store: Store; readonly queries: readonly RecordedQuery[] } {
  const queries: RecordedQuery[] = [];
  const collection = <T extends Document>(definition: CollectionDefinition<T>): Collection<T> => {
    const record = (filter: Filter, { sort = [] }: FindOptions = {}) => queries.push({ definition, filter, sort });
    return {
      get: () => Promise.resolve(undefined),
      find: (filter, options) => Promise.resolve((record(filter, options), [])),
      findValues(filter, values, { sort = [] } = {}) {
        queries.push({ definition, filter, sort, values });
        return Promise.resolve([]);
      },
      insert: () => Promise.resolve({ inserted: true }),
      update: () => Promise.resolve(0),
      bulk: () => Promise.resolve({ matched: 0, inserted: 0 }),
      delete: (filter) => Promise.resolve((record(filter), 0)),
      count: (filter) => Promise.resolve((record(filter), 0)),
      countGroups: (_paths, filter) => Promise.resolve((record(filter), [])),
      incrementAndGet: () => Promise.resolve(1),
    };
  };
  const store: Store = {
    name: 'recording',
    kind: 'mongo',
    ordersWrites: false,
    collection,
    onConnection: () => () => undefined,
    start: () => Promise.resolve(),
    stop: () => Promise.resolve(),
    ready: () => true,
  };
  return { store, queries };
}
