// Decisions that wait for charger-state's answer, each with a deadline.
import type { Broker, Subscription } from '@busbar/broker';
import { channels } from '@busbar/contracts';
import { createId, createTicker, type Clock } from '@busbar/core';

type Payload = Readonly<Record<string, unknown>>;

export type Decisions = ReturnType<typeof createDecisions>;

const EXPIRE_EVERY_MS = 250;

export function createDecisions(broker: Broker, clock: Clock) {
  const address = createId();
  // All have the same timeout, so insertion order is the order of expiry.
  const pending = new Map<string, { readonly expiresAtMs: number; readonly done: (payload?: Payload) => void }>();
  let subscription: Subscription | undefined;
  const ticker = createTicker(clock, EXPIRE_EVERY_MS, expire);

  function resolve(id: string, payload?: Payload): void {
    const entry = pending.get(id);
    if (entry === undefined) return;
    pending.delete(id);
    entry.done(payload);
  }

  function expire(): void {
    const now = clock.monotonicMs();
    for (const [id, entry] of pending) {
      if (entry.expiresAtMs > now) return;
      resolve(id);
    }
  }

  return {
    name: 'decisions',
    /** The address for answers; it survives reconnects to the broker. */
    address,
    /** `done` runs once: with the answer's payload, or without one where the decision failed or its deadline passed. */
    expect(id: string, withinMs: number, done: (payload?: Payload) => void): void {
      pending.set(id, { expiresAtMs: clock.monotonicMs() + withinMs, done });
    },
    /** Nobody needs the answer any more: `done` does not run. */
    cancel: (id: string) => void pending.delete(id),
    waiting: () => pending.size,
    async start() {
      if (ticker.running()) return;
      ticker.start();
      subscription = await broker.receive(channels.decisionAnswers, address, ({ answers }) => {
        for (const answer of answers) resolve(answer.id, answer.failed === true ? undefined : answer.payload);
      });
    },
    async stop() {
      ticker.stop();
      await subscription?.close();
      subscription = undefined;
    },
    ready: () => subscription !== undefined,
  };
}
