import type { Clock } from '@busbar/core';
import type { Collection, CollectionDefinition, Document, Store } from '@busbar/store';
import type { Distribution } from './histogram';
import { CALL_BUCKETS_S, type Metrics } from './metrics';

/** The store, with the time that each call takes measured. Calls are passed on at once, so their order stays. */
export function measureCalls(store: Store, metrics: Metrics, clock: Clock): Store {
  const durations = metrics.histogram({
    name: 'busbar_store_call_seconds',
    help: 'Time that a call of the store took, failed ones included, by collection and operation.',
    labels: ['collection', 'operation'],
    buckets: CALL_BUCKETS_S,
  });
  const measured = new WeakMap<object, unknown>();
  return {
    ...store,
    collection<T extends Document>(definition: CollectionDefinition<T>): Collection<T> {
      const collection = store.collection(definition);
      const known = measured.get(collection) as Collection<T> | undefined;
      if (known !== undefined) return known;
      const made = measuredCollection(collection, clock, (operation) =>
        durations.child({ collection: definition.name, operation }),
      );
      measured.set(collection, made);
      return made;
    },
  };
}

function measuredCollection<T extends Document>(
  collection: Collection<T>,
  clock: Clock,
  distributionOf: (operation: keyof Collection<T>) => Distribution,
): Collection<T> {
  const measured = <Args extends unknown[], R>(
    operation: keyof Collection<T>,
    call: (...args: Args) => Promise<R>,
  ): ((...args: Args) => Promise<R>) => {
    // Made by the first call: most collections have few of the operations, and each one has many series.
    let distribution: Distribution | undefined;
    return (...args) => {
      const startMs = clock.monotonicMs();
      const result = call(...args);
      const observe = (): void => {
        distribution ??= distributionOf(operation);
        distribution.observe((clock.monotonicMs() - startMs) / 1000);
      };
      // Beside the caller, who gets the promise itself: no turn of the event loop is added.
      result.then(observe, observe);
      return result;
    };
  };
  return {
    get: measured('get', collection.get),
    find: measured('find', collection.find),
    findValues: measured('findValues', collection.findValues),
    insert: measured('insert', collection.insert),
    update: measured('update', collection.update),
    bulk: measured('bulk', collection.bulk),
    delete: measured('delete', collection.delete),
    count: measured('count', collection.count),
    countGroups: measured('countGroups', collection.countGroups),
    incrementAndGet: measured('incrementAndGet', collection.incrementAndGet),
  };
}
