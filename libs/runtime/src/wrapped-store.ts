import type { Collection, CollectionDefinition, Document, Store } from '@busbar/store';

/** One operation of a collection. */
export type StoreCall = (...args: readonly unknown[]) => Promise<unknown>;

/** The store, with every operation of its collections wrapped; each once, so that a wrapper may have a state. */
export function wrappedStore(
  store: Store,
  wrap: (call: StoreCall, operation: string, collection: string) => StoreCall,
): Store {
  const wrapped = new WeakMap<object, object>();
  return {
    ...store,
    collection<T extends Document>(definition: CollectionDefinition<T>): Collection<T> {
      const collection = store.collection(definition);
      const known = wrapped.get(collection) as Collection<T> | undefined;
      if (known !== undefined) return known;
      const made = Object.fromEntries(
        Object.entries(collection as unknown as Readonly<Record<string, StoreCall>>).map(([operation, call]) => [
          operation,
          wrap(call, operation, definition.name),
        ]),
      );
      wrapped.set(collection, made);
      return made as unknown as Collection<T>;
    },
  };
}
