import type { Subscription } from './port';

/** The parts of a broker that each of its halves needs. */
export interface BrokerParts {
  readonly subscriptions: OpenSubscriptions;
  /** Throws AppError `unavailable` before `start` and after `stop`. */
  readonly mustRun: () => void;
}

type OpenSubscriptions = ReturnType<typeof createOpenSubscriptions>;

/** A broker's open subscriptions, which stopping closes. */
export function createOpenSubscriptions() {
  const open = new Set<Subscription>();
  return {
    /** `close` is called once, however often the subscription is closed. */
    add(close: () => Promise<void>): Subscription {
      let closed: Promise<void> | undefined;
      const subscription: Subscription = {
        close: () => (closed ??= close().finally(() => open.delete(subscription))),
      };
      open.add(subscription);
      return subscription;
    },
    async closeAll() {
      await Promise.all([...open].map((subscription) => subscription.close()));
    },
  };
}
