// Asks gateways to close connections that newer ones replaced, or whose charger was deleted. Retries until the gateway answers
// or is dead.
import type { Broker } from '@busbar/broker';
import { channels, type CloseConnection } from '@busbar/contracts';
import type { Clock, Logger } from '@busbar/core';
import type { Applied } from './contract';

export interface ClosingsDeps {
  readonly broker: Broker;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Returns whether it is dead, by this replica's memory or by the store. Rejects while the store is unavailable. */
  readonly isDead: (gatewayId: string) => Promise<boolean>;
}

export type Closings = ReturnType<typeof createClosings>;

const ANSWER_MS = 5_000;
const RETRY_MS = 1_000;
/**
 * Beyond this limit no request is made. Such a socket ends by itself, or is requested again when its gateway reports it
 * again.
 */
const MAX_PENDING = 10_000;
/** A gateway that neither answers nor is declared dead for this many attempts is given up. */
const MAX_ATTEMPTS = 120;

export function createClosings(deps: ClosingsDeps) {
  const pending = new Set<string>();
  /**
   * Gateways at whose address nobody listens, with the requests that wait. One of each gateway's is repeated for all: a gateway
   * that was killed has thousands, while its chargers reconnect.
   */
  const absent = new Map<string, { readonly probe: CloseConnection; readonly waiting: CloseConnection[] }>();
  let stopped = false;

  function ask(gatewayId: string, request: CloseConnection): void {
    if (pending.has(request.connectionId) || pending.size >= MAX_PENDING) return;
    pending.add(request.connectionId);
    deps.logger.info({ ...request, gatewayId }, 'requesting a gateway to close a connection');
    send(gatewayId, request);
  }

  function send(gatewayId: string, request: CloseConnection): void {
    const known = absent.get(gatewayId);
    if (known === undefined) void attempt(gatewayId, request, 1);
    else known.waiting.push(request);
  }

  async function attempt(gatewayId: string, request: CloseConnection, tries: number): Promise<void> {
    const { outcome } = await deps.broker.request(channels.closings, gatewayId, request, ANSWER_MS);
    const isOver = outcome !== 'answered' && (tries >= MAX_ATTEMPTS || (await isDead(gatewayId)));
    followProbe(gatewayId, request, isOver ? 'over' : outcome);
    if (outcome === 'answered' || isOver || stopped) pending.delete(request.connectionId);
    else if (outcome !== 'nobody' || !waitsForProbe(gatewayId, request)) {
      deps.clock.after(RETRY_MS, () => void attempt(gatewayId, request, tries + 1));
    }
  }

  /** Acts on the result of the request that was repeated for others. */
  function followProbe(gatewayId: string, request: CloseConnection, outcome: string): void {
    if (absent.get(gatewayId)?.probe !== request) return;
    if (outcome === 'over') dropWaiting(gatewayId);
    else if (outcome !== 'nobody') sendWaiting(gatewayId);
  }

  /** False where this request is the one that is repeated. */
  function waitsForProbe(gatewayId: string, request: CloseConnection): boolean {
    const { probe, waiting } = absent.get(gatewayId) ?? { probe: request, waiting: [] };
    absent.set(gatewayId, { probe, waiting });
    if (probe !== request) waiting.push(request);
    return probe !== request;
  }

  function dropWaiting(gatewayId: string): void {
    for (const { connectionId } of absent.get(gatewayId)?.waiting ?? []) pending.delete(connectionId);
    absent.delete(gatewayId);
  }

  function sendWaiting(gatewayId: string): void {
    const { waiting = [] } = absent.get(gatewayId) ?? {};
    absent.delete(gatewayId);
    for (const request of waiting) send(gatewayId, request);
  }

  /** Unknown while the store is unavailable: the request is retried. */
  async function isDead(gatewayId: string): Promise<boolean> {
    try {
      return await deps.isDead(gatewayId);
    } catch (error) {
      deps.logger.debug({ err: error, gatewayId }, 'could not read whether a gateway is dead');
      return false;
    }
  }

  return {
    /** Finds the connections of a batch that must close, and requests it. Never waits. */
    follow(applied: readonly Applied[]): void {
      for (const each of applied) {
        const { chargerId } = each.report;
        const reason = each.charger === undefined ? 'deleted' : 'replaced';
        for (const { gatewayId, connectionId } of connectionsToClose(each)) {
          ask(gatewayId, { chargerId, connectionId, reason });
        }
      }
    },
    stop(): void {
      stopped = true;
    },
  };
}

/**
 * The connection of a charger that was deleted while it was being admitted (rule 70). Else what a `connected` shows as
 * open beside a newer connection: itself, or the connections that it replaced. Requested again at a second delivery, since
 * the replica of the first may have died. A nudge is of no connection.
 */
export function connectionsToClose({
  report,
  charger,
}: Pick<Applied, 'report' | 'charger'>): readonly { readonly gatewayId: string; readonly connectionId: string }[] {
  if (charger === undefined) return report.kind === 'disconnected' || report.kind === 'nudge' ? [] : [report];
  if (report.kind !== 'connected') return [];
  const { position, replaced } = charger.connection;
  return report.order < position[0] ? [report] : (replaced ?? []);
}
