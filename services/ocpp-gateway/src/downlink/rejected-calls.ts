// What was refused while the broker or charger-state was away, and what is done about it: an outage of more than a minute
// closes the sockets that had a transaction message refused, since a charger that is offline queues without limit while
// one that is answered with errors gives up; and a status that was refused is asked for again when all is back.
import type { Broker } from '@busbar/broker';
import type { Clock, Logger, Timer } from '@busbar/core';
import type { CallFrame } from '@busbar/ocpp';
import type { Connection } from '../connection/connection';
import type { GatewayMetrics } from '../gateway-metrics';
import { closeSoon } from './commands';
import type { Publisher } from '../uplink/publisher';
import { createRefusedStatuses } from './status-refresh';
import type { Registry } from '../connection/registry';

export type SaidCall = Pick<CallFrame, 'action' | 'payload'>;

export interface Refusals {
  refused(connection: Connection, call: SaidCall): void;
  /** A report was confirmed. */
  taken(connection: Connection, call: SaidCall): void;
  start(): void;
  stop(): void;
}

export interface RefusalsDeps {
  readonly broker: Pick<Broker, 'ready'>;
  readonly publisher: Pick<Publisher, 'publish' | 'failing' | 'confirmed'>;
  readonly registry: Registry;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly longOutageMs: number;
  /** Chargers whose refused statuses are remembered. */
  readonly maxChargers: number;
  readonly metrics: Pick<GatewayMetrics, 'closedForOutage'>;
}

const LOOK_EVERY_MS = 1_000;
const OF_A_TRANSACTION: ReadonlySet<string> = new Set(['StartTransaction', 'StopTransaction', 'MeterValues']);

export function createRefusals(deps: RefusalsDeps): Refusals {
  const { broker, publisher, clock, logger } = deps;
  /** Bounded by the open connections: entries of closed ones are dropped at each look. */
  const transactions = new Set<Connection>();
  const statuses = createRefusedStatuses(deps);
  let timer: Timer | undefined;
  let unavailableSinceMs: number | undefined;
  /** What had been confirmed when something was last refused: only what is confirmed after it shows that all is back. */
  let confirmedBefore = 0;

  function look(): void {
    for (const connection of transactions) if (connection.closed) transactions.delete(connection);
    statuses.tidy();
    // Also one that is there and takes nothing: short of memory or disk, a full queue.
    if (!broker.ready() || publisher.failing()) {
      unavailableSinceMs ??= clock.monotonicMs();
      if (clock.monotonicMs() - unavailableSinceMs >= deps.longOutageMs) closeThoseWithTransactions();
      return;
    }
    unavailableSinceMs = undefined;
    if (publisher.confirmed() === confirmedBefore) return;
    transactions.clear();
    statuses.ask();
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

  return {
    refused(connection, { action, payload }) {
      confirmedBefore = publisher.confirmed();
      if (OF_A_TRANSACTION.has(action)) transactions.add(connection);
      if (action === 'StatusNotification') statuses.refused(connection, payload);
    },
    taken(connection, { action, payload }) {
      if (action === 'StatusNotification') statuses.taken(connection, payload);
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
