import type { Clock } from '@busbar/core';
import type { Store } from '@busbar/store';
import type { Distribution } from './histogram';
import { CALL_BUCKETS_S, type Metrics } from './metrics';
import { wrappedStore } from '../wrapped-store';

/** The store, with the time that each call takes measured. Calls are passed on at once, so their order stays. */
export function measureCalls(store: Store, metrics: Metrics, clock: Clock): Store {
  const durations = metrics.histogram({
    name: 'busbar_store_call_seconds',
    help: 'Time that a call of the store took, failed ones included, by collection and operation.',
    labels: ['collection', 'operation'],
    buckets: CALL_BUCKETS_S,
  });
  return wrappedStore(store, (call, operation, collection) => {
    // Made by the first call: most collections have few of the operations, and each one has many series.
    let distribution: Distribution | undefined;
    return (...args) => {
      const startMs = clock.monotonicMs();
      const result = call(...args);
      const observe = (): void => {
        distribution ??= durations.child({ collection, operation });
        distribution.observe((clock.monotonicMs() - startMs) / 1000);
      };
      // Beside the caller, who gets the promise itself: no turn of the event loop is added.
      result.then(observe, observe);
      return result;
    };
  });
}
