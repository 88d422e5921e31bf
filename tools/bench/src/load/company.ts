// Chargers that report at an even pace, beside what is measured or as the load itself.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChargerSocket } from './charger-socket';
import { callText } from './messages';

export interface PaceInput {
  /** StatusNotifications a second of all chargers together. */
  readonly perSecond: number;
  readonly forMs: number;
}

export interface Company {
  stop(): void;
  /** The number of StatusNotifications that could not be sent in time because the last one had no answer. */
  skipped(): number;
}

const PACE_MS = 10;

/** Resolves with the number that could not be sent in time. */
export async function runPacedLoad(sockets: readonly ChargerSocket[], input: PaceInput): Promise<number> {
  const company = keepCompany(sockets, input.perSecond);
  await sleep(input.forMs);
  company.stop();
  return company.skipped();
}

/** Each in its turn, at an even pace; one that has no answer yet is passed over. */
export function keepCompany(sockets: readonly ChargerSocket[], perSecond: number): Company {
  const busy = new Set<ChargerSocket>();
  const startMs = performance.now();
  let sent = 0;
  let skipped = 0;
  const send = (socket: ChargerSocket): void => {
    if (busy.has(socket)) {
      skipped += 1;
      return;
    }
    busy.add(socket);
    const messageId = `beside-${String(Date.now())}-${String(sent)}`;
    socket.call(messageId, callText('StatusNotification', messageId, sent), () => busy.delete(socket));
  };
  const timer = setInterval(() => {
    const due = ((performance.now() - startMs) / 1000) * perSecond;
    for (; sent < due; sent += 1) {
      const socket = sockets[sent % sockets.length];
      if (socket !== undefined) send(socket);
    }
  }, PACE_MS);
  return { stop: () => clearInterval(timer), skipped: () => skipped };
}
