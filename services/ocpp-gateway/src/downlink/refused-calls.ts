// Makes up for CALLs that were refused during an outage of the broker or charger-state. After a long outage it closes sockets
// that had a transaction message refused: an offline charger queues without limit, one that gets errors gives up. After
// every outage it requests the refused statuses again.
import type { Broker } from '@busbar/broker';
import { createTicker } from '@busbar/core';
import type { CallFrame } from '@busbar/ocpp';
import { closeSocket } from '../connection/close';
import type { Connection } from '../connection/connection';
import type { ReportPublisher } from '../connection/report-publisher';
import type { GatewayMetrics } from '../gateway-metrics';
import { createStatusRefresh, type StatusRefreshDeps } from './status-refresh';

export type ReceivedCall = Pick<CallFrame, 'action' | 'payload'>;

export interface RefusedCallsDeps extends StatusRefreshDeps {
  readonly broker: Pick<Broker, 'ready'>;
  readonly publisher: ReportPublisher;
  readonly longOutageMs: number;
  readonly metrics: Pick<GatewayMetrics, 'closedForOutage'>;
}

const CHECK_EVERY_MS = 1_000;

export function createRefusedCalls(deps: RefusedCallsDeps) {
  const { broker, publisher, clock, logger } = deps;
  /** Connections with a refused transaction message. Each check drops closed ones, so open connections bound it. */
  const transactional = new Set<Connection>();
  const refresh = createStatusRefresh(deps);
  let unavailableSinceMs: number | undefined;
  /** The confirmed reports at the last refusal: only a later confirm shows that the outage is over. */
  let confirmedBefore = 0;

  function check(): void {
    for (const connection of transactional) if (connection.closed) transactional.delete(connection);
    refresh.purge();
    // A broker may be connected and accept nothing: it lacks memory or disk, or a queue is full.
    if (!broker.ready() || publisher.failing()) {
      unavailableSinceMs ??= clock.monotonicMs();
      if (clock.monotonicMs() - unavailableSinceMs >= deps.longOutageMs) closeTransactional();
      return;
    }
    unavailableSinceMs = undefined;
    if (publisher.confirmed() === confirmedBefore) return;
    transactional.clear();
    refresh.run();
  }

  function closeTransactional(): void {
    if (transactional.size === 0) return;
    logger.warn(
      { sockets: transactional.size },
      'long broker outage: closing sockets with refused transaction messages',
    );
    for (const connection of transactional) {
      deps.metrics.closedForOutage.inc({});
      closeSocket(connection, 1013, 'try again later');
    }
    transactional.clear();
  }

  return {
    refused(connection: Connection, call: ReceivedCall): void {
      const { protocol } = connection;
      confirmedBefore = publisher.confirmed();
      const action = protocol.actions.get(call.action);
      if (action?.from !== 'us' && action?.isTransactional === true) transactional.add(connection);
      refresh.refused(connection, protocol.statusSocketsOf(call));
    },
    /** A report was confirmed. */
    accepted(connection: Connection, call: ReceivedCall): void {
      refresh.accepted(connection, connection.protocol.statusSocketsOf(call));
    },
    ...createTicker(clock, CHECK_EVERY_MS, check),
  };
}
