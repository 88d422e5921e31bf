// Whether the HTTP interface says of each charger what is so: its connection, and its messages in their order.
import { setTimeout as last } from 'node:timers/promises';
import { eventually } from '@busbar/testing';
import type { Api } from './fleet';
import type { FleetCharger } from './fleet-charger';

/** What is promised after any fault. */
const RIGHT_WITHIN_MS = 20_000;
const STAYS_MS = 4_000;
const ROUND_MS = 300;

type WithSocket = Pick<FleetCharger, 'chargerId' | 'isOpen' | 'changes'>;

interface Chargers {
  readonly chargers: readonly WithSocket[];
}

/** Each charger's `activeConnection` is whether its socket is open, within 20 s, and then stays so. The fleet must be calm. */
export async function connectionsAreTrue(api: Api, fleet: Chargers): Promise<void> {
  const began = Date.now();
  await eventually(async () => {
    await last(ROUND_MS);
    const wrong = await untrue(api, fleet);
    if (wrong.length > 0)
      throw new Error(`wrong for ${String(wrong.length)} chargers: ${wrong.slice(0, 5).join('; ')}`);
    return true;
  }, RIGHT_WITHIN_MS);
  const until = Date.now() + STAYS_MS;
  let before = changesOf(fleet);
  while (Date.now() < until) {
    await last(ROUND_MS);
    // A charger that comes back only now is shown so as soon as its message is stored, which takes its moment.
    const steady = fleet.chargers.filter((charger) => before.get(charger) === charger.changes());
    before = changesOf(fleet);
    const wrong = await untrue(api, { chargers: steady });
    if (wrong.length > 0) {
      throw new Error(
        `right after ${String(until - STAYS_MS - began)} ms, then wrong again: ${wrong.slice(0, 5).join('; ')}`,
      );
    }
  }
}

function changesOf({ chargers }: Chargers): ReadonlyMap<WithSocket, number> {
  return new Map(chargers.map((charger) => [charger, charger.changes()]));
}

async function untrue(api: Api, { chargers }: Chargers): Promise<string[]> {
  const wrong = await Promise.all(chargers.map((charger) => judge(api, charger)));
  return wrong.filter((text) => text !== undefined);
}

/** Undefined also where the socket opened or ended while the record was read: then nothing can be said. */
async function judge(api: Api, charger: WithSocket): Promise<string | undefined> {
  const [changes, open] = [charger.changes(), charger.isOpen()];
  const record = await api.readOrWhyNot(charger.chargerId);
  if (typeof record === 'string') return `${charger.chargerId} cannot be read: ${record}`;
  if (charger.changes() !== changes || record.activeConnection === open) return undefined;
  return `${charger.chargerId} is ${open ? 'open' : 'closed'} and shown as ${record.activeConnection ? 'open' : 'closed'}`;
}
