// Closes the sockets of chargers that were deleted or have new credentials (rule 70): at once, and again until it is
// done.
import { delay, type Clock, type Logger } from '@busbar/core';
import type { Charger, ChargerConnection, ChargerReader } from '../charger';
import type { ChargerLink, CloseReason, ConnectionToClose } from '../../commands/charger-link';
import type { GatewayReader } from './gateway-record';

export interface ConnectionCloserDeps {
  readonly chargers: Pick<ChargerReader, 'find' | 'lastOrder'>;
  readonly gateways: GatewayReader;
  readonly link: Pick<ChargerLink, 'close'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface ConnectionCloser {
  /**
   * Closes every connection admitted so far. Call it after the change is stored. Resolves after the first attempt;
   * further attempts follow in the background, bounded. Rejects only when the store is unavailable.
   */
  close(charger: Charger, reason: CloseReason): Promise<void>;
}

type Attempt =
  | 'done'
  /** Between attempts while the record does not show the last admitted connection, or its end, yet. */
  | 'not_yet'
  /** Between attempts while the gateway or the broker is unreachable. */
  | 'unreachable';

const RETRY_MS = 1_000;
const MAX_ATTEMPTS = { not_yet: 10, unreachable: 300 } as const;
/** Beyond this the newest gets one attempt only; its socket closes at the charger's next connection. */
const MAX_PENDING = 1_000;

export function createConnectionCloser(deps: ConnectionCloserDeps): ConnectionCloser {
  const pending = new Set<string>();

  async function again(goal: Goal, before: Exclude<Attempt, 'done'>): Promise<void> {
    for (let result: Attempt = before, tries = 1; result !== 'done'; tries += 1) {
      if (tries >= MAX_ATTEMPTS[result]) {
        const level = result === 'unreachable' ? 'warn' : 'debug';
        deps.logger[level](
          { chargerId: goal.charger.chargerId, tries },
          'giving up the closing of a connection: its gateway did not answer',
        );
        return;
      }
      await delay(deps.clock, RETRY_MS);
      result = await attempt(deps, goal).catch(() => 'unreachable' as const);
    }
  }

  return {
    async close(charger, reason) {
      const goal = { charger, reason, upTo: await deps.chargers.lastOrder(charger.chargerId) };
      const first = await attempt(deps, goal);
      const key = `${charger.incarnationId} ${reason}`;
      if (first === 'done' || pending.size >= MAX_PENDING || pending.has(key)) return;
      pending.add(key);
      void again(goal, first).finally(() => pending.delete(key));
    },
  };
}

interface Goal {
  /** As read before the change: a deleted record is gone. */
  readonly charger: Charger;
  readonly reason: CloseReason;
  /** The last order given so far: later connections were admitted with the new credentials. */
  readonly upTo: number;
}

async function attempt(deps: ConnectionCloserDeps, { charger, reason, upTo }: Goal): Promise<Attempt> {
  const { chargerId, incarnationId } = charger;
  const stored = await deps.chargers.find(chargerId);
  const isGone = stored?.incarnationId !== incarnationId;
  const { connection } = isGone ? charger : stored;
  const [order] = connection.position;
  if (order > upTo) return 'done';
  // A deleted charger's record shows no new connections; charger-state closes those.
  const isLast = isGone || order === upTo;
  const open = openOne(connection);
  if (open === undefined) return isLast ? 'done' : 'not_yet';
  const ended = await end(deps, { ...open, chargerId, reason });
  if (ended === 'not_here') return isGone ? 'done' : 'not_yet';
  if (ended === 'unreachable') return 'unreachable';
  return isLast ? 'done' : 'not_yet';
}

function openOne({ active, gatewayId, connectionId }: ChargerConnection) {
  return active && gatewayId !== null && connectionId !== null ? { gatewayId, connectionId } : undefined;
}

/** A dead gateway has no open socket. */
async function end({ link, gateways }: ConnectionCloserDeps, connection: ConnectionToClose) {
  const result = await link.close(connection);
  return result === 'unreachable' && (await gateways.isDead(connection.gatewayId)) ? 'closed' : result;
}
