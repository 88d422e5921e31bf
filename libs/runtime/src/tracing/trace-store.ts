import type { Collection, CollectionDefinition, Document, Store } from '@busbar/store';
import { traced, type Tracing } from './tracing';

/** The store, with a span for each call that belongs to a trace. */
export function traceStore(store: Store, tracing: Tracing): Store {
  const known = new WeakMap<object, unknown>();
  return {
    ...store,
    collection<T extends Document>(definition: CollectionDefinition<T>): Collection<T> {
      const collection = store.collection(definition);
      const found = known.get(collection) as Collection<T> | undefined;
      if (found !== undefined) return found;
      const made = tracedCollection(collection, { tracing, name: definition.name, system: store.kind });
      known.set(collection, made);
      return made;
    },
  };
}

interface Place {
  readonly tracing: Tracing;
  readonly name: string;
  readonly system: string;
}

function tracedCollection<T extends Document>(collection: Collection<T>, place: Place): Collection<T> {
  const call = <Args extends unknown[], R>(
    operation: keyof Collection<T>,
    run: (...args: Args) => Promise<R>,
  ): ((...args: Args) => Promise<R>) => {
    const attributes = {
      'db.system.name': place.system === 'mongo' ? 'mongodb' : 'sqlite',
      'db.collection.name': place.name,
      'db.operation.name': operation,
    };
    const span = { name: `${operation} ${place.name}`, kind: 'client', attributes } as const;
    return (...args) => traced(place.tracing, span, () => run(...args));
  };
  return {
    get: call('get', collection.get),
    find: call('find', collection.find),
    findValues: call('findValues', collection.findValues),
    insert: call('insert', collection.insert),
    update: call('update', collection.update),
    bulk: call('bulk', collection.bulk),
    delete: call('delete', collection.delete),
    count: call('count', collection.count),
    countGroups: call('countGroups', collection.countGroups),
    incrementAndGet: call('incrementAndGet', collection.incrementAndGet),
  };
}
