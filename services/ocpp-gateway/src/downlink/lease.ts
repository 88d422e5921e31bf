// This gateway's lease with charger-state, renewed every third of its length. A gateway whose lease has lapsed takes a
// new id. A gateway without an answer for a whole lease keeps its id. Under a new id its chargers would be shown
// disconnected while their `connected` waits behind a backlog (docs/adr/0016).
import type { Broker, Subscription } from '@busbar/broker';
import { channels, type GatewayLease } from '@busbar/contracts';
import { createId, createTicker, type Clock, type Logger } from '@busbar/core';
import type { ProgramVersion } from '@busbar/runtime';

export interface LeaseDeps {
  readonly broker: Broker;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly leaseMs: number;
  readonly version: ProgramVersion;
  /** Open sockets, and whether the gateway stops: the other gateways decide by them. */
  readonly load: () => Pick<GatewayLease, 'sockets' | 'stopping'>;
  /** Serves requests to an id; closed when the id is given up. */
  readonly serve: (gatewayId: string) => Promise<Subscription>;
  /** Announces the open sockets again: under a new id, or because the broker may have lost the announcements. */
  readonly announce: () => void;
  /** The gateway has taken a new id. */
  readonly onNewId?: () => void;
}

export type Lease = ReturnType<typeof createLease>;

export function createLease(deps: LeaseDeps) {
  const { broker, clock, logger } = deps;
  let gatewayId = createId();
  let answeredAtMs = 0;
  let served: Subscription[] = [];
  const ticker = createTicker(clock, deps.leaseMs / 3, renew);
  let unsubscribe = () => {};
  let changing: Promise<void> | undefined;
  let subscribedAtMs = 0;

  const sendRenewal = (): void => broker.broadcast(channels.leases, { gatewayId, ...deps.version, ...deps.load() });

  function renew(): void {
    const now = clock.monotonicMs();
    // Without a broker no answer can arrive and no lease lapses.
    const silent = broker.ready() && now - Math.max(answeredAtMs, subscribedAtMs) > deps.leaseMs;
    if (silent) change(resubscribe);
    sendRenewal();
  }

  function change(how: () => Promise<void>): void {
    changing ??= how()
      .catch((error: unknown) =>
        logger.warn({ err: error, gatewayId }, 'subscribing to commands failed; it is retried'),
      )
      .finally(() => {
        changing = undefined;
      });
  }

  /** The subscriptions may be lost. The old ones close first: two at one address would both execute a command. */
  async function resubscribe(): Promise<void> {
    subscribedAtMs = clock.monotonicMs();
    logger.warn({ gatewayId }, 'no answer to lease renewals for a whole lease: subscribing again');
    const old = served;
    served = [];
    await Promise.all(old.map((subscription) => subscription.close()));
    served = await subscribeAs(gatewayId);
    sendRenewal();
  }

  async function takeNewId(): Promise<void> {
    const before = gatewayId;
    const next = createId();
    const old = served;
    served = await subscribeAs(next);
    gatewayId = next;
    answeredAtMs = clock.monotonicMs();
    deps.onNewId?.();
    logger.warn({ gatewayId: next, before }, 'the lease of this gateway had lapsed: it continues under a new id');
    sendRenewal();
    deps.announce();
    await Promise.all(old.map((subscription) => subscription.close()));
  }

  function subscribeAs(id: string): Promise<Subscription[]> {
    return Promise.all([
      deps.serve(id),
      broker.receive(channels.leaseAnswers, id, (answer) => {
        if (answer.gatewayId !== gatewayId) return;
        if (answer.state === 'dead') change(takeNewId);
        else onRenewed();
      }),
    ]);
  }

  function onRenewed(): void {
    const now = clock.monotonicMs();
    const wasSilent = now - answeredAtMs > deps.leaseMs;
    answeredAtMs = now;
    // The gateway was paused or cut off and still has its lease. Announcements of its sockets may be lost.
    if (wasSilent) deps.announce();
  }

  return {
    name: 'lease',
    gatewayId: () => gatewayId,
    /** Renews it now: its load has changed much. */
    renewNow: sendRenewal,
    async start() {
      if (ticker.running()) return;
      answeredAtMs = clock.monotonicMs();
      ticker.start();
      served = await subscribeAs(gatewayId);
      unsubscribe = broker.onConnection((up) => {
        if (!up) return;
        answeredAtMs = clock.monotonicMs();
        sendRenewal();
        deps.announce();
      });
      sendRenewal();
    },
    async stop() {
      ticker.stop();
      unsubscribe();
      await changing;
      await Promise.all(served.map((subscription) => subscription.close()));
      served = [];
    },
    ready: ticker.running,
  };
}
