// The broker of one replica that loses its channels and regains them, as after a reconnect. Meanwhile other replicas
// had its queues.
import type { Broker, Subscription } from '@busbar/broker';

export interface LosableQueues {
  readonly broker: Broker;
  /** Resolves when its queues deliver nothing more. */
  lose(): Promise<void>;
  /** Subscribes again, behind all others. */
  regain(): Promise<void>;
}

interface Consumed {
  readonly open: () => Promise<Subscription>;
  current: Subscription | undefined;
}

export function losable(broker: Broker): LosableQueues {
  const all = new Set<Consumed>();
  let isLost = false;
  return {
    broker: {
      ...broker,
      async consume(...args) {
        const consumed: Consumed = { open: () => broker.consume(...args), current: undefined };
        if (!isLost) consumed.current = await consumed.open();
        all.add(consumed);
        return {
          async close() {
            all.delete(consumed);
            await consumed.current?.close();
          },
        };
      },
    },
    async lose() {
      isLost = true;
      for (const consumed of all) await consumed.current?.close();
    },
    async regain() {
      isLost = false;
      for (const consumed of all) consumed.current = await consumed.open();
    },
  };
}
