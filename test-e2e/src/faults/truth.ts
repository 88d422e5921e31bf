// Checks that the HTTP interface reports the truth about each charger: its connection, and its messages in their order.
import { setTimeout as last } from 'node:timers/promises';
import { eventually } from '@busbar/testing';
import type { Api } from './fleet';
import type { FleetCharger } from './fleet-charger';

/** The promised time of recovery after any fault. */
const RIGHT_WITHIN_MS = 20_000;
const STAYS_MS = 4_000;
const ROUND_MS = 300;
const WATCH_MS = 1_000;
/** A socket without an answer for longer may be dead without its charger's knowledge. */
const ANSWERED_WITHIN_MS = 2_000;

type WithSocket = Pick<FleetCharger, 'chargerId' | 'isOpen' | 'changes'>;
export type Watched = WithSocket & { readonly ledger: Pick<FleetCharger['ledger'], 'answered'> };

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

/**
 * The same at every moment, also during an accident: of each charger whose socket neither opened nor ended in the last 20 s. Gives a
 * function that ends the watch and returns where it was wrong, in sentences. An API that cannot be read counts neither way.
 */
export function watchConnections(
  api: Pick<Api, 'readOrWhyNot'>,
  { chargers }: { readonly chargers: readonly Watched[] },
): () => Promise<string[]> {
  const began = Date.now();
  const steady = createSteadiness(chargers);
  const wrong: string[] = [];
  const end = new AbortController();
  const watching = (async () => {
    while (!end.signal.aborted) {
      const found = await Promise.all(steady().map((charger) => judge(api, charger)));
      const at = `${String(Math.round((Date.now() - began) / 1_000))} s`;
      wrong.push(...found.flatMap((each) => (each?.wasRead === true ? [`after ${at} ${each.text}`] : [])));
      await last(WATCH_MS);
    }
  })();
  return async () => {
    end.abort();
    await watching;
    return wrong;
  };
}

/** Returns, each time it is called, the chargers of whose connection the record must be right by now. */
export function createSteadiness<Charger extends Watched>(
  chargers: readonly Charger[],
  nowMs: () => number = Date.now,
): () => readonly Charger[] {
  const known = new Map<Charger, { changes: number; since: number; answered: number; answeredAt: number }>();
  return () => {
    const now = nowMs();
    return chargers.filter((charger) => {
      const [changes, answered] = [charger.changes(), charger.ledger.answered];
      const before = known.get(charger);
      const since = before?.changes === changes ? before.since : now;
      const answeredAt = before?.answered === answered ? before.answeredAt : now;
      known.set(charger, { changes, since, answered, answeredAt });
      return now - since >= RIGHT_WITHIN_MS && (!charger.isOpen() || now - answeredAt <= ANSWERED_WITHIN_MS);
    });
  };
}

function changesOf({ chargers }: Chargers): ReadonlyMap<WithSocket, number> {
  return new Map(chargers.map((charger) => [charger, charger.changes()]));
}

async function untrue(api: Api, { chargers }: Chargers): Promise<string[]> {
  const wrong = await Promise.all(chargers.map((charger) => judge(api, charger)));
  return wrong.flatMap((each) => (each === undefined ? [] : [each.text]));
}

interface Untrue {
  /** False where nothing is shown of the charger. */
  readonly wasRead: boolean;
  readonly text: string;
}

/** Undefined also where the socket opened or ended while the record was read: then the record cannot be judged. */
async function judge(api: Pick<Api, 'readOrWhyNot'>, charger: WithSocket): Promise<Untrue | undefined> {
  const { chargerId } = charger;
  const [changes, open] = [charger.changes(), charger.isOpen()];
  const record = await api.readOrWhyNot(chargerId);
  if (typeof record === 'string') return { wasRead: false, text: `${chargerId} cannot be read: ${record}` };
  if (charger.changes() !== changes || record.activeConnection === open) return undefined;
  const shown = record.activeConnection ? 'open' : 'closed';
  return { wasRead: true, text: `${chargerId} is ${open ? 'open' : 'closed'} and shown as ${shown}` };
}
