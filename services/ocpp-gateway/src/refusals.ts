// What was refused while the broker or charger-state was away, and what is done about it: an outage of more than a minute
// closes the sockets that had a transaction message refused, since a charger that is offline queues without limit while
// one that is answered with errors gives up; and a status that was refused is asked for again when all is back.
import type { Broker } from '@busbar/broker';
import { createId, type Clock, type Logger, type Timer } from '@busbar/core';
import type { Connection } from './connection';
import type { GatewayMetrics } from './gateway-metrics';
import { callCharger, closeSoon } from './outbound';
import type { Publisher } from './publisher';
import type { Registry } from './registry';

export interface Refusals {
  refused(connection: Connection, action: string): void;
  start(): void;
  stop(): void;
}

export interface RefusalsDeps {
  readonly broker: Pick<Broker, 'ready'>;
  readonly publisher: Pick<Publisher, 'publish' | 'failing' | 'confirmed'>;
  readonly registry: Registry;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly awayLongMs: number;
  readonly metrics: Pick<GatewayMetrics, 'closedForOutage'>;
}

const LOOK_EVERY_MS = 1_000;
/** Statuses asked for at each look: their answers are a load of their own. */
const ASK_AT_ONCE = 500;
const TRIGGER_TIMEOUT_MS = 30_000;
const OF_A_TRANSACTION: ReadonlySet<string> = new Set(['StartTransaction', 'StopTransaction', 'MeterValues']);

export function createRefusals(deps: RefusalsDeps): Refusals {
  const { broker, publisher, registry, clock, logger } = deps;
  /** Bounded by the open connections: entries of closed ones are dropped at each look. */
  const transactions = new Set<Connection>();
  const statuses = new Set<Connection>();
  let timer: Timer | undefined;
  let awaySinceMs: number | undefined;
  /** What had been confirmed when something was last refused: only what is confirmed after it shows that all is back. */
  let confirmedBefore = 0;

  function look(): void {
    for (const set of [transactions, statuses]) {
      for (const connection of set) if (connection.closed) set.delete(connection);
    }
    // Also one that is there and takes nothing: short of memory or disk, a full queue.
    if (!broker.ready() || publisher.failing()) {
      awaySinceMs ??= clock.monotonicMs();
      if (clock.monotonicMs() - awaySinceMs >= deps.awayLongMs) closeThoseWithTransactions();
      return;
    }
    awaySinceMs = undefined;
    if (publisher.confirmed() === confirmedBefore) return;
    transactions.clear();
    askAgain();
  }

  function closeThoseWithTransactions(): void {
    if (transactions.size === 0) return;
    logger.warn({ sockets: transactions.size }, 'the broker is away for long; sockets with refused transactions close');
    for (const connection of transactions) {
      deps.metrics.closedForOutage.inc({});
      closeSoon(connection, 1013, 'try again later');
    }
    transactions.clear();
  }

  function askAgain(): void {
    let asked = 0;
    for (const connection of statuses) {
      if (asked === ASK_AT_ONCE) return;
      asked += 1;
      statuses.delete(connection);
      if (registry.get(connection.chargerId) !== connection) continue;
      const payload = { requestedMessage: 'StatusNotification' };
      const call = { commandId: createId(), action: 'TriggerMessage', payload, timeoutMs: TRIGGER_TIMEOUT_MS };
      callCharger(publisher, connection, call, ({ outcome }) => {
        logger.debug({ chargerId: connection.chargerId, outcome }, 'asked for a status again');
      });
    }
  }

  return {
    refused(connection, action) {
      confirmedBefore = publisher.confirmed();
      if (OF_A_TRANSACTION.has(action)) transactions.add(connection);
      if (action === 'StatusNotification') statuses.add(connection);
    },
    start() {
      timer ??= clock.every(LOOK_EVERY_MS, look);
    },
    stop() {
      timer?.cancel();
      timer = undefined;
    },
  };
}
