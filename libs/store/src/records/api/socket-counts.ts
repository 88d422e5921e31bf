// Counts sockets by state from the chargers' tallies: an index has them, and no document is read.
import { readTally, viewSockets, type Charger, type ChargerLister, type ChargingState } from '@busbar/domain/chargers';
import { and, eq, gt, oneOf, type Collection, type Document, type Filter } from '../../port';
import { groupsByNumber } from './groups';
import { createCachedCount } from '../lists/cached-count';

/** Chargers read at a time: limits the memory of one call. */
const PAGE = 500;
/** Reading one charger takes as long as so many tallies (SQLite: 20 µs and 0.15 µs). */
const TALLIES_FOR_A_CHARGER = 100;

type Chargers = Collection<Charger & Document>;

type CountSockets = ChargerLister['countSockets'];

/** The number of sockets in each shown state: without a connection all are Offline. */
export function statesIn(tally: string, isConnected: boolean): readonly (readonly [ChargingState, number])[] {
  return readTally(tally).map(([state, sockets]) => [isConnected ? state : 'Offline', sockets]);
}

/**
 * Walks the tallies of all the client's chargers, whichever sites are asked for: an index by site would cost a write
 * for each status. A small part of a large network is read itself.
 */
export function createSocketCounts(chargers: Chargers): CountSockets {
  const totalOf = createCachedCount<string, number>(
    (clientId) => chargers.count(eq('clientId', clientId)),
    (total) => total,
  );
  return async (clientId, siteIds) => {
    const own = eq('clientId', clientId);
    const counts = createCounts();
    if (siteIds !== undefined) {
      const there = await groupsByNumber(chargers, 'registered.siteId', and(own, oneOf('registered.siteId', siteIds)));
      const count = [...there.values()].reduce((sum, each) => sum + each, 0);
      if (count * TALLIES_FOR_A_CHARGER < (await totalOf(clientId))) {
        for await (const charger of chargersAt(chargers, [...there.keys()], own)) counts.addCharger(charger);
        return counts.bySite;
      }
    }
    const at = siteIds === undefined ? [] : [oneOf('registered.siteId', siteIds)];
    const tallies = async (active: boolean): Promise<void> => {
      const which = and(own, eq('connection.active', active), ...at);
      for (const { values, count } of await chargers.countGroups(['reported.tally', 'registered.siteId'], which)) {
        const [tally, siteId] = values;
        counts.addTally(siteId, statesIn(String(tally), active), count);
      }
    };
    // In one go, so that a charger that connects meanwhile is counted once.
    await Promise.all([tallies(true), tallies(false)]);
    return counts.bySite;
  };
}

/** Site by site, as the indexes are ordered. */
async function* chargersAt(chargers: Chargers, siteIds: readonly number[], which: Filter): AsyncGenerator<Charger> {
  for (const siteId of siteIds) {
    const there = and(which, eq('registered.siteId', siteId));
    let after = '';
    for (;;) {
      const page = await chargers.find(and(there, gt('_id', after)), { sort: [['_id', 1]], limit: PAGE });
      yield* page;
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE) break;
      after = last._id;
    }
  }
}

function createCounts() {
  const bySite = new Map<number, Map<ChargingState, number>>();
  const add = (siteId: number, state: ChargingState, sockets: number): void => {
    const counts = bySite.get(siteId) ?? new Map<ChargingState, number>();
    bySite.set(siteId, counts.set(state, (counts.get(state) ?? 0) + sockets));
  };
  return {
    bySite,
    addTally(siteId: unknown, states: readonly (readonly [ChargingState, number])[], chargerCount: number) {
      if (typeof siteId !== 'number') return;
      for (const [state, sockets] of states) add(siteId, state, sockets * chargerCount);
    },
    addCharger(charger: Charger) {
      for (const { state } of viewSockets(charger)) add(charger.registered.siteId, state, 1);
    },
  };
}
