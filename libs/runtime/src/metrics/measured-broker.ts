import type { Broker } from '@busbar/broker';
import type { Clock } from '@busbar/core';
import type { Distribution } from './histogram';
import { CALL_BUCKETS_S, type Metrics } from './metrics';

/** The broker, with the time that each confirm takes measured. */
export function measureConfirms(broker: Broker, metrics: Metrics, clock: Clock): Broker {
  const durations = metrics.histogram({
    name: 'busbar_broker_confirm_seconds',
    help: 'Time until the broker confirmed a message or refused it, by queue and outcome. In one process: until it is stored.',
    labels: ['queue', 'outcome'],
    buckets: CALL_BUCKETS_S,
  });
  const confirmed = new Map<string, Distribution>();
  const confirmedOf = (queue: string): Distribution => {
    let found = confirmed.get(queue);
    if (found === undefined) confirmed.set(queue, (found = durations.child({ queue, outcome: 'confirmed' })));
    return found;
  };
  return {
    ...broker,
    enqueue(channel, partition, body, done) {
      const startMs = clock.monotonicMs();
      broker.enqueue(channel, partition, body, (failure) => {
        const { name } = channel;
        const distribution =
          failure === undefined ? confirmedOf(name) : durations.child({ queue: name, outcome: failure });
        distribution.observe((clock.monotonicMs() - startMs) / 1000);
        done(failure);
      });
    },
  };
}
