// Tells gateways to close connections that newer ones replaced, or whose charger is gone: asked again until answered, or until the gateway is dead.
import type { Broker } from '@busbar/broker';
import { channels, type CloseConnection } from '@busbar/contracts';
import type { Clock, Logger } from '@busbar/core';
import type { Applied } from './contract';

export interface ClosingsDeps {
  readonly broker: Broker;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Whether it is dead for ever, by this replica's memory or by the store. Rejects while the store is away. */
  readonly isDead: (gatewayId: string) => Promise<boolean>;
}

export interface Closings {
  /** Looks at what a batch did to connections and asks for what must close. Never waits. */
  follow(applied: readonly Applied[]): void;
  stop(): void;
}

const ANSWER_MS = 5_000;
const RETRY_MS = 1_000;
/**
 * Beyond this a new request is not made: those that are asked already have the better claim. Its socket then ends by itself, or
 * is asked for again when its gateway tells of it again.
 */
const MAX_PENDING = 10_000;
/** A gateway that neither answers nor is declared dead for this many tries is gone without a trace of a lease. */
const MAX_ATTEMPTS = 120;

export function createClosings(deps: ClosingsDeps): Closings {
  const pending = new Set<string>();
  let stopped = false;

  function ask(gatewayId: string, request: CloseConnection): void {
    if (pending.has(request.connectionId) || pending.size >= MAX_PENDING) return;
    pending.add(request.connectionId);
    deps.logger.info({ ...request, gatewayId }, 'a connection must close');
    void attempt(gatewayId, request, 1);
  }

  async function attempt(gatewayId: string, request: CloseConnection, tries: number): Promise<void> {
    const result = await deps.broker.request(channels.closings, gatewayId, request, ANSWER_MS);
    const settled = result.outcome === 'answered' || tries >= MAX_ATTEMPTS || (await isDead(gatewayId));
    if (settled || stopped) {
      pending.delete(request.connectionId);
      return;
    }
    deps.clock.after(RETRY_MS, () => void attempt(gatewayId, request, tries + 1));
  }

  /** Not known while the store is away: then it is asked again. */
  async function isDead(gatewayId: string): Promise<boolean> {
    try {
      return await deps.isDead(gatewayId);
    } catch (error) {
      deps.logger.debug({ err: error, gatewayId }, 'whether a gateway is dead could not be read');
      return false;
    }
  }

  return {
    follow(applied) {
      for (const each of applied) {
        const { chargerId } = each.report;
        const reason = each.charger === undefined ? 'deleted' : 'replaced';
        for (const { gatewayId, connectionId } of connectionsToClose(each)) {
          ask(gatewayId, { chargerId, connectionId, reason });
        }
      }
    },
    stop() {
      stopped = true;
    },
  };
}

/**
 * The connection of a charger that is not registered (any more): deleted while it was being admitted, so that whoever deleted
 * it could not see it (rule 70). Else what a `connected` shows to be open beside a newer connection: itself, or those that it took the place of. Told anew by
 * a second delivery, since the first may have died with the replica that had it.
 */
export function connectionsToClose({
  report,
  charger,
}: Pick<Applied, 'report' | 'charger'>): readonly { readonly gatewayId: string; readonly connectionId: string }[] {
  if (charger === undefined) return report.kind === 'disconnected' ? [] : [report];
  if (report.kind !== 'connected') return [];
  const { position, replaced } = charger.connection;
  return report.order < position[0] ? [report] : (replaced ?? []);
}
