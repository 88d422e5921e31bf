// This gateway's lease with charger-state: renewed every third of its length. One that hears that it is dead goes on under a
// new id. One that hears nothing for a whole lease keeps its id: nobody has said that it is dead, and under a new one its
// chargers would be shown disconnected for as long as their `connected` waits behind a backlog (docs/adr/0016).
import type { Broker, Subscription } from '@busbar/broker';
import { channels } from '@busbar/contracts';
import { createId, type Clock, type Logger, type Service, type Timer } from '@busbar/core';

export interface LeaseDeps {
  readonly broker: Broker;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly leaseMs: number;
  /** Serves whatever is addressed to an id; closed when the id is given up. */
  readonly serve: (gatewayId: string) => Promise<Subscription>;
  /** The open sockets must be told again: under a new id, or because the broker may have lost what was told. */
  readonly announce: () => void;
  /** It goes on under a new id. */
  readonly onNewId?: () => void;
}

export interface Lease extends Service {
  gatewayId(): string;
}

export function createLease(deps: LeaseDeps): Lease {
  const { broker, clock, logger } = deps;
  let gatewayId = createId();
  let receivedAtMs = 0;
  let served: Subscription[] = [];
  let timer: Timer | undefined;
  let forget = () => {};
  let changing: Promise<void> | undefined;
  let listenedAtMs = 0;

  function renew(): void {
    const now = clock.monotonicMs();
    // Without a broker nobody can hear and nobody lapses: judge only while it is there.
    const silent = broker.ready() && now - Math.max(receivedAtMs, listenedAtMs) > deps.leaseMs;
    if (silent) change(resubscribe);
    broker.broadcast(channels.leases, { gatewayId });
  }

  function change(how: () => Promise<void>): void {
    changing ??= how()
      .catch((error: unknown) => logger.warn({ err: error, gatewayId }, 'listening for commands failed; tried again'))
      .finally(() => {
        changing = undefined;
      });
  }

  /** What listens may have been lost without a word. Closed first: two at one address would both take a command. */
  async function resubscribe(): Promise<void> {
    listenedAtMs = clock.monotonicMs();
    logger.warn({ gatewayId }, 'no answer to its renewals for a whole lease: listening anew');
    const old = served;
    served = [];
    await Promise.all(old.map((subscription) => subscription.close()));
    served = await listenAs(gatewayId);
    broker.broadcast(channels.leases, { gatewayId });
  }

  async function takeNewId(): Promise<void> {
    const before = gatewayId;
    const next = createId();
    const old = served;
    served = await listenAs(next);
    gatewayId = next;
    receivedAtMs = clock.monotonicMs();
    deps.onNewId?.();
    logger.warn({ gatewayId: next, before }, 'told that its lease had lapsed: this gateway goes on under a new id');
    broker.broadcast(channels.leases, { gatewayId });
    deps.announce();
    await Promise.all(old.map((subscription) => subscription.close()));
  }

  function listenAs(id: string): Promise<Subscription[]> {
    return Promise.all([
      deps.serve(id),
      broker.receive(channels.leaseAnswers, id, (answer) => {
        if (answer.gatewayId !== gatewayId) return;
        if (answer.state === 'dead') change(takeNewId);
        else messageReceived();
      }),
    ]);
  }

  function messageReceived(): void {
    const now = clock.monotonicMs();
    const wasSilent = now - receivedAtMs > deps.leaseMs;
    receivedAtMs = now;
    // It was paused or cut off, and still has its lease: what was told of its sockets meanwhile may be lost.
    if (wasSilent) deps.announce();
  }

  return {
    name: 'lease',
    gatewayId: () => gatewayId,
    async start() {
      if (timer) return;
      receivedAtMs = clock.monotonicMs();
      timer = clock.every(deps.leaseMs / 3, renew);
      served = await listenAs(gatewayId);
      forget = broker.onConnection((up) => {
        if (!up) return;
        receivedAtMs = clock.monotonicMs();
        broker.broadcast(channels.leases, { gatewayId });
        deps.announce();
      });
      broker.broadcast(channels.leases, { gatewayId });
    },
    async stop() {
      timer?.cancel();
      timer = undefined;
      forget();
      await changing;
      await Promise.all(served.map((subscription) => subscription.close()));
      served = [];
    },
    ready: () => timer !== undefined,
  };
}
