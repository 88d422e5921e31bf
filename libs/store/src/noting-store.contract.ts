// A store that notes what it is asked and has nothing: for tests of what the records ask of any store.
import type { Collection, CollectionDefinition, Document, Filter, FindOptions, Store } from './port';

export interface NotedQuery {
  readonly definition: CollectionDefinition<Document>;
  readonly filter: Filter;
  readonly sort: readonly (readonly [path: string, direction: 1 | -1])[];
  /** The paths that were asked for, where no document was. */
  readonly values?: readonly string[];
}

export function createNotingStore(): { readonly store: Store; readonly queries: readonly NotedQuery[] } {
  const queries: NotedQuery[] = [];
  const collection = <T extends Document>(definition: CollectionDefinition<T>): Collection<T> => {
    const note = (filter: Filter, { sort = [] }: FindOptions = {}) => queries.push({ definition, filter, sort });
    return {
      get: () => Promise.resolve(undefined),
      find: (filter, options) => Promise.resolve((note(filter, options), [])),
      findValues(filter, values, { sort = [] } = {}) {
        queries.push({ definition, filter, sort, values });
        return Promise.resolve([]);
      },
      insert: () => Promise.resolve({ inserted: true }),
      update: () => Promise.resolve(0),
      bulk: () => Promise.resolve({ matched: 0, upserted: 0, inserted: 0, duplicates: [] }),
      delete: (filter) => Promise.resolve((note(filter), 0)),
      count: (filter) => Promise.resolve((note(filter), 0)),
      countBy: (_path, filter) => Promise.resolve((note(filter), [])),
      countGroups: (_paths, filter) => Promise.resolve((note(filter), [])),
      incrementAndGet: () => Promise.resolve(1),
    };
  };
  const store: Store = {
    ...{ name: 'noting', kind: 'mongo', ordersWrites: false, collection, onConnection: () => () => undefined },
    ...{ start: () => Promise.resolve(), stop: () => Promise.resolve(), ready: () => true },
  };
  return { store, queries };
}
