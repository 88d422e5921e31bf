// Chargers that push frames as fast as they are taken and wait for no answer.
import { once } from 'node:events';
import { supportedVersions } from '@busbar/ocpp';
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

/** One socket for each charger, to the plain listener on that port of loopback. They speak all versions in turn. */
export async function startPushers(
  port: number,
  chargerIds: readonly string[],
  callOf: (version: string) => Call,
): Promise<Pushers> {
  const versions = supportedVersions();
  const chargers = chargerIds.map((chargerId, n) => ({ chargerId, version: versions[n % versions.length] ?? '' }));
  const sockets: { readonly raw: RawSocket; readonly rest: string }[] = [];
  for (let from = 0; from < chargers.length; from += CONCURRENCY) {
    const opening = chargers.slice(from, from + CONCURRENCY).map(async ({ chargerId, version }) => {
      const { action, payload } = callOf(version);
      return { raw: await opened(port, chargerId, version), rest: `","${action}",${JSON.stringify(payload)}]` };
    });
    sockets.push(...(await Promise.all(opening)));
  }
  let pushed = 0;
  let pushing = true;
  const isPushing = (): boolean => pushing;

  async function push({ socket }: RawSocket, rest: string): Promise<void> {
    while (isPushing() && !socket.destroyed) {
      pushed += 1;
      const taken = socket.write(rawFrame(Buffer.from(`[2,"${String(pushed)}${rest}`)));
      // The kernel's buffers are full: what is more waits here, as it would in a charger.
      if (!taken) await Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(() => undefined);
    }
  }
  for (const { raw, rest } of sockets) void push(raw, rest);

  return {
    stop() {
      pushing = false;
      for (const { raw } of sockets) raw.destroy();
    },
  };
}

function opened(port: number, chargerId: string, version: string): Promise<RawSocket> {
  return eventually(() => openRawWebsocket(port, chargerId, version), 60_000);
}
