// One charger, two sockets, two gateways, at the same moment: the one admitted later stays, wherever it is.
import { createId } from '@busbar/core';
import { connectCharger, eventually, type ScriptedCharger } from '@busbar/testing';
import type { Api } from './fleet';
import type { FaultWorld } from './network-episodes';
import type { Random } from './random';

const CHARGERS = 20;
/** Between the two handshakes, at most. */
const APART_MS = 20;

/** Rejects when of a pair not exactly one socket stays, or the record does not say that it is open. */
export async function duplicateSockets({ network, api }: FaultWorld, random: Random, pairs: number): Promise<void> {
  const siteId = await api.makeSite();
  const prefix = createId().slice(-10);
  const each = Math.ceil(pairs / CHARGERS);
  await Promise.all(
    Array.from({ length: CHARGERS }, async (_, n) => {
      const own = random.fork();
      const chargerId = `D_${prefix}_${String(n)}`;
      await api.register(chargerId, siteId);
      let open: ScriptedCharger | undefined;
      for (let pair = 0; pair < each; pair += 1) {
        open = await onePair({ api, addresses: network.chargerAddresses(), random: own, chargerId });
        // Sometimes the next pair meets a socket that is open already.
        if (own.chance(0.5)) await closed(api, chargerId, open);
      }
      if (open?.closed() === undefined && open !== undefined) await closed(api, chargerId, open);
    }),
  );
}

interface Pair {
  readonly api: Api;
  readonly addresses: readonly string[];
  readonly random: Random;
  readonly chargerId: string;
}

async function onePair({ api, addresses, random, chargerId }: Pair): Promise<ScriptedCharger> {
  const both = await Promise.all(
    [0, 1].map(async (n) => {
      await new Promise((resolve) => setTimeout(resolve, random.below(APART_MS)));
      const address = addresses[(n + random.below(2)) % addresses.length] ?? '';
      // Told to come again, it does: on a slow machine a server may be away for a moment.
      return eventually(() => connectCharger({ url: `${address}${chargerId}`, logLength: 4 }));
    }),
  );
  const [stays] = await eventually(() => {
    const open = both.filter((charger) => charger.closed() === undefined);
    if (open.length === 0) throw new Error(`${chargerId}: both sockets were closed`);
    return open.length === 1 ? open : undefined;
  });
  if (stays === undefined) throw new Error('no socket stayed');
  await stays.heartbeat();
  await eventually(async () => (await api.read(chargerId))?.activeConnection === true);
  return stays;
}

async function closed(api: Api, chargerId: string, charger: ScriptedCharger): Promise<void> {
  await charger.close(1000);
  await eventually(async () => (await api.read(chargerId))?.activeConnection === false);
}
