import type { Store } from '@busbar/store';
import { wrappedStore } from '../wrapped-store';
import { traced, type Tracing } from './tracing';

/** The store, with a span for each call that belongs to a trace. */
export function traceStore(store: Store, tracing: Tracing): Store {
  return wrappedStore(store, (call, operation, collection) => {
    const attributes = {
      'db.system.name': store.kind === 'mongo' ? 'mongodb' : 'sqlite',
      'db.collection.name': collection,
      'db.operation.name': operation,
    };
    const span = { name: `${operation} ${collection}`, kind: 'client', attributes } as const;
    return (...args) => traced(tracing, span, () => call(...args));
  });
}
