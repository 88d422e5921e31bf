// What was refused while the broker or charger-state was away, and what is done about it: an outage of more than a minute
// closes the sockets that had a transaction message refused, since a charger that is offline queues without limit while
// one that is answered with errors gives up; and a status that was refused is asked for again when all is back.
import type { Broker } from '@busbar/broker';
import type { Clock, Logger, Timer } from '@busbar/core';
import type { Connection } from './connection';
import { closeSoon } from './outbound';
import type { Registry } from './registry';

export interface Refusals {
  refused(connection: Connection, action: string): void;
  start(): void;
  stop(): void;
}

export interface RefusalsDeps {
  readonly broker: Broker;
  readonly registry: Registry;
  readonly clock: Clock;
  readonly logger: Logger;
}

const AWAY_LONG_MS = 60_000;
const LOOK_EVERY_MS = 1_000;
const TRIGGER_TIMEOUT_MS = 30_000;
const OF_A_TRANSACTION: ReadonlySet<string> = new Set(['StartTransaction', 'StopTransaction', 'MeterValues']);

export function createRefusals({ broker, registry, clock, logger }: RefusalsDeps): Refusals {
  /** Bounded by the open connections: entries of closed ones are dropped at each look. */
  const transactions = new Set<Connection>();
  const statuses = new Set<Connection>();
  let timer: Timer | undefined;
  let awaySinceMs: number | undefined;
  let forget = () => {};

  function look(): void {
    for (const set of [transactions, statuses]) {
      for (const connection of set) if (connection.closed) set.delete(connection);
    }
    if (broker.ready()) {
      awaySinceMs = undefined;
      return;
    }
    awaySinceMs ??= clock.monotonicMs();
    if (clock.monotonicMs() - awaySinceMs < AWAY_LONG_MS || transactions.size === 0) return;
    logger.warn({ sockets: transactions.size }, 'the broker is away for long; sockets with refused transactions close');
    for (const connection of transactions) closeSoon(connection, 1013, 'try again later');
    transactions.clear();
  }

  function askAgain(): void {
    for (const connection of statuses) {
      if (registry.get(connection.chargerId) !== connection) continue;
      const payload = { requestedMessage: 'StatusNotification' };
      connection.calls.call({ action: 'TriggerMessage', payload, timeoutMs: TRIGGER_TIMEOUT_MS }, ({ outcome }) => {
        logger.debug({ chargerId: connection.chargerId, outcome: outcome.outcome }, 'asked for a status again');
      });
    }
    statuses.clear();
    transactions.clear();
  }

  return {
    refused(connection, action) {
      if (OF_A_TRANSACTION.has(action)) transactions.add(connection);
      if (action === 'StatusNotification') statuses.add(connection);
    },
    start() {
      timer ??= clock.every(LOOK_EVERY_MS, look);
      forget = broker.onConnection((up) => {
        if (up) askAgain();
      });
    },
    stop() {
      timer?.cancel();
      timer = undefined;
      forget();
    },
  };
}
