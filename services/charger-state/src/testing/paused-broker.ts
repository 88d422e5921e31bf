// The part of a broker that a replica's leases need. It delivers immediately, and can be suspended. It then holds
// messages and delivers them later, as RabbitMQ does when its machine stalls for less than a heartbeat.
import type { Broker } from '@busbar/broker';
import type { BroadcastChannel, LeaseAnswer } from '@busbar/contracts';

export interface PausedBroker {
  readonly port: Pick<Broker, 'broadcast' | 'listen' | 'post' | 'onConnection'>;
  /** The answers to gateways. */
  readonly answers: readonly LeaseAnswer[];
  /** From now on everything is held. */
  freeze(): void;
  /** Delivers the held messages, those of this channel first: the others' queues are their own. */
  thaw(first: BroadcastChannel<unknown>): void;
  /** Drops all messages without an error: the broker is short of memory. */
  dropAll(): void;
  resume(): void;
  /** The connection is lost, with all held messages, and restored. */
  reconnect(): void;
  /** Delivers immediately, before held messages: over another connection. */
  deliver<Body>(channel: BroadcastChannel<Body>, body: Body): void;
}

export function createPausedBroker(): PausedBroker {
  const listeners = new Map<string, Set<(body: never) => void>>();
  const connectionListeners = new Set<(up: boolean) => void>();
  const answers: LeaseAnswer[] = [];
  let held: { readonly name: string; readonly body: unknown }[] = [];
  let mode: 'open' | 'frozen' | 'dropping' = 'open';

  function give(name: string, body: unknown): void {
    for (const listener of listeners.get(name) ?? []) listener(body as never);
  }

  return {
    answers,
    port: {
      broadcast({ name }, body) {
        if (mode === 'open') give(name, body);
        if (mode === 'frozen') held.push({ name, body });
      },
      listen({ name }, handler) {
        const handlers = listeners.get(name) ?? new Set();
        listeners.set(name, handlers.add(handler));
        return Promise.resolve({ close: () => Promise.resolve(void handlers.delete(handler)) });
      },
      post: (_channel, _key, body) => void answers.push(body as LeaseAnswer),
      onConnection(listener) {
        connectionListeners.add(listener);
        return () => connectionListeners.delete(listener);
      },
    },
    freeze: () => void (mode = 'frozen'),
    thaw(first) {
      mode = 'open';
      const given = held;
      held = [];
      for (const isFirst of [true, false]) {
        for (const { name, body } of given) if ((name === first.name) === isFirst) give(name, body);
      }
    },
    dropAll: () => void (mode = 'dropping'),
    resume: () => void (mode = 'open'),
    reconnect() {
      for (const listener of connectionListeners) listener(false);
      held = [];
      mode = 'open';
      for (const listener of connectionListeners) listener(true);
    },
    deliver: ({ name }, body) => give(name, body),
  };
}
