// Chargers that push frames as fast as they are taken and wait for no answer.
import { once } from 'node:events';
import { eventually } from '@busbar/testing';
import { openRawWebsocket, rawFrame, type RawSocket } from '../fuzz/sockets';

export interface Call {
  readonly action: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

export interface Pushers {
  stop(): void;
}

/** Sockets opened at a time. */
const CONCURRENCY = 20;

/** One socket for each charger, to the plain listener on that port of loopback. */
export async function startPushers(port: number, chargerIds: readonly string[], call: Call): Promise<Pushers> {
  const sockets: RawSocket[] = [];
  for (let from = 0; from < chargerIds.length; from += CONCURRENCY) {
    sockets.push(...(await Promise.all(chargerIds.slice(from, from + CONCURRENCY).map((id) => opened(port, id)))));
  }
  const rest = `","${call.action}",${JSON.stringify(call.payload)}]`;
  let pushed = 0;
  let pushing = true;
  const isPushing = (): boolean => pushing;

  async function push({ socket }: RawSocket): Promise<void> {
    while (isPushing() && !socket.destroyed) {
      pushed += 1;
      const taken = socket.write(rawFrame(Buffer.from(`[2,"${String(pushed)}${rest}`)));
      // The kernel's buffers are full: what is more waits here, as it would in a charger.
      if (!taken) await Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(() => undefined);
    }
  }
  for (const raw of sockets) void push(raw);

  return {
    stop() {
      pushing = false;
      for (const raw of sockets) raw.destroy();
    },
  };
}

function opened(port: number, chargerId: string): Promise<RawSocket> {
  return eventually(() => openRawWebsocket(port, chargerId, 'ocpp1.6'), 60_000);
}
