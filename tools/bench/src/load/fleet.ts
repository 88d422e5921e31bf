// Opens and holds the sockets of many chargers, with a limit on concurrent upgrades.
import { setTimeout as sleep } from 'node:timers/promises';
import { openChargerSocket, type ChargerSocket, type Subprotocol, type Target } from './charger-socket';

export interface OpenInput {
  readonly target: Target;
  readonly chargerIds: readonly string[];
  /** OCPP 1.6 if absent. */
  readonly subprotocol?: Subprotocol | undefined;
  /** Upgrades in flight at the same time. */
  readonly concurrency: number;
  /** After which those that are not open are given up. */
  readonly withinMs: number;
}

export interface Opened {
  readonly open: number;
  readonly ms: number;
  /** Upgrades rejected with 503 and retried after Retry-After. */
  readonly rejectedWithRetry: number;
  /** Other refusals and failed connections, tried again after a second. */
  readonly failures: number;
  /** One of them, for the one who reads. */
  readonly lastFailure: string | undefined;
}

const DEFAULT_RETRY_S = 1;

/** Opens a socket for each, trying again until all are open or time is up. Resolves with what came of it and the sockets. */
export async function openFleet(input: OpenInput): Promise<{ opened: Opened; sockets: ChargerSocket[] }> {
  const { target, chargerIds, subprotocol, concurrency, withinMs } = input;
  const startMs = performance.now();
  const endMs = startMs + withinMs;
  const sockets: ChargerSocket[] = [];
  const tally = { rejectedWithRetry: 0, failures: 0, lastFailure: undefined as string | undefined };
  const waiting = [...chargerIds];

  async function openOne(chargerId: string): Promise<void> {
    while (performance.now() < endMs) {
      const opening = await openChargerSocket(target, chargerId, subprotocol);
      if (opening.kind === 'open') {
        sockets.push(opening.socket);
        return;
      }
      if (opening.kind === 'refused' && opening.status === 503) tally.rejectedWithRetry += 1;
      else {
        tally.failures += 1;
        tally.lastFailure = opening.kind === 'failed' ? opening.reason : `HTTP ${String(opening.status)}`;
      }
      const retryS = opening.kind === 'refused' ? (opening.retryAfterS ?? DEFAULT_RETRY_S) : DEFAULT_RETRY_S;
      // Spread over a second, as chargers are whose clocks and networks differ.
      await sleep((retryS + Math.random()) * 1000);
    }
  }

  const work = async (): Promise<void> => {
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) await openOne(id);
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, chargerIds.length) }, work));
  return { opened: { open: sockets.length, ms: performance.now() - startMs, ...tally }, sockets };
}
