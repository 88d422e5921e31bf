// One charger, two sockets, at the same moment, on two gateways where there are two: the one admitted later stays, wherever
// it is.
import { setTimeout as last } from 'node:timers/promises';
import { createId } from '@busbar/core';
import { supportedVersions } from '@busbar/ocpp';
import { connectCharger, eventually, type ScriptedCharger } from '@busbar/testing';
import type { EpisodeWorld } from './episode';
import type { Random } from './random';
import { connectionsAreTrue } from './truth';

const CHARGERS = 20;
/** Between the two handshakes, at most. */
const APART_MS = 20;

/** Rejects when of a pair not exactly one socket stays, or an older one, or the record does not say that it is open. */
export async function duplicateSockets(world: EpisodeWorld, random: Random, pairs: number): Promise<void> {
  const { api } = world;
  const siteId = await eventually(() => api.makeSite());
  const prefix = createId().slice(-10);
  const each = Math.ceil(pairs / CHARGERS);
  const chargers = await Promise.all(
    Array.from({ length: CHARGERS }, async (_, n) => {
      const own = random.fork();
      const chargerId = `D_${prefix}_${String(n)}`;
      const version = own.pick(supportedVersions());
      await api.register(chargerId, siteId);
      let open: ScriptedCharger | undefined;
      for (let pair = 0; pair < each; pair += 1) {
        open = await onePair(world, own, { chargerId, version });
        // Sometimes the next pair meets a socket that is open already.
        if (own.chance(0.5)) await closed(world, chargerId, open);
      }
      return { chargerId, open };
    }),
  );
  const socketOf = (open: ScriptedCharger | undefined) => ({
    isOpen: () => open !== undefined && open.closed() === undefined,
    changes: () => 0,
  });
  // A late report of an older socket's end would arrive now.
  await connectionsAreTrue(api, {
    chargers: chargers.map(({ chargerId, open }) => ({ chargerId, ...socketOf(open) })),
  });
  await Promise.all(
    chargers.map(async ({ chargerId, open }) => {
      if (open !== undefined && open.closed() === undefined) await closed(world, chargerId, open);
    }),
  );
}

async function onePair(
  world: EpisodeWorld,
  random: Random,
  { chargerId, version }: { readonly chargerId: string; readonly version: string },
): Promise<ScriptedCharger> {
  const addresses = world.addresses();
  const both = await Promise.all(
    [0, 1].map(async (n) => {
      await last(random.below(APART_MS));
      const address = addresses[(n + random.below(2)) % addresses.length] ?? '';
      return connectInTurn(`${address}${chargerId}`, version);
    }),
  );
  const [stays] = await eventually(() => {
    const open = both.filter(({ charger }) => charger.closed() === undefined);
    if (open.length === 0) throw new Error(`${chargerId}: both sockets were closed`);
    return open.length === 1 ? open : undefined;
  });
  if (stays === undefined) throw new Error('no socket stayed');
  const older = both.find((each) => each !== stays);
  if (older !== undefined && older.began > stays.opened) throw new Error(`${chargerId}: the older socket stayed`);
  await stays.charger.heartbeat();
  await eventually(async () => (await world.api.read(chargerId))?.activeConnection === true);
  return stays.charger;
}

interface Connected {
  readonly charger: ScriptedCharger;
  /** When its handshake began and when it was done: of two that did not overlap it is known which is newer. */
  readonly began: number;
  readonly opened: number;
}

/** Retries after Retry-After: on a slow machine a server may be unavailable for a moment. */
function connectInTurn(url: string, version: string): Promise<Connected> {
  return eventually(async () => {
    const began = performance.now();
    const charger = await connectCharger({ url, subprotocols: [version], logLength: 4 });
    return { charger, began, opened: performance.now() };
  });
}

async function closed({ api }: EpisodeWorld, chargerId: string, charger: ScriptedCharger): Promise<void> {
  await charger.close(1000);
  await eventually(async () => (await api.read(chargerId))?.activeConnection === false);
}
