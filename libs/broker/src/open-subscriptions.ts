import type { Subscription } from './port';

/** A broker's open subscriptions, which stopping closes. */
export interface OpenSubscriptions {
  /** `close` is called once, however often the subscription is closed. */
  add(close: () => Promise<void>): Subscription;
  closeAll(): Promise<void>;
}

export function createOpenSubscriptions(): OpenSubscriptions {
  const open = new Set<Subscription>();
  return {
    add(close) {
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
