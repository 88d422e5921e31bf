// The figures of a client's network, counted at the time of the request.
import { toTimestamp } from '@busbar/domain';
import { CHARGING_STATES, type Charger, type ChargingState } from '@busbar/domain/chargers';
import { type NetworkStatistics, type StatisticsReader } from '@busbar/domain/history';
import { SESSION_STATES, type Session, type SessionState } from '@busbar/domain/sessions';
import { and, eq, gte, type Collection, type Document, type Filter, type Store } from '../../port';
import { collections } from '../collections';
import { statesIn } from './socket-counts';

export function statisticsRecords(store: Store): StatisticsReader {
  const sites = store.collection(collections.sites);
  const chargers = store.collection(collections.chargers);
  const sessions = store.collection(collections.sessions);
  return {
    async read(clientId, now): Promise<NetworkStatistics> {
      const own = eq('clientId', clientId);
      const midnight = `${toTimestamp(now).slice(0, 10)}T00:00:00.000Z`;
      const [siteCount, network, inProgress, today, ended] = await Promise.all([
        sites.count(own),
        countChargers(chargers, clientId),
        sessions.count(and(own, eq('state', 'ongoing'))),
        countEach(sessions, (state) => and(own, eq('state', state), gte('startTime', midnight))),
        sessions.countGroups(['state'], and(own, gte('endTime', midnight)), 'consumptionWh'),
      ]);
      return {
        sites: siteCount,
        ...network,
        sessionsInProgress: inProgress,
        sessionsToday: today,
        energyTodayWh: ended.reduce((sum, group) => (group.values[0] === 'refused' ? sum : sum + group.sum), 0),
        generatedAt: toTimestamp(now),
      };
    },
    async totals() {
      const [chargerCount, sessionsInProgress] = await Promise.all([
        chargers.count(and()),
        sessions.count(eq('state', 'ongoing')),
      ]);
      return { chargers: chargerCount, sessionsInProgress };
    },
  };
}

/** Refused starts are not charging sessions. */
async function countEach(
  sessions: Collection<Session & Document>,
  filterOf: (state: SessionState) => Filter,
): Promise<number> {
  const states = SESSION_STATES.filter((state) => state !== 'refused');
  const counts = await Promise.all(states.map((state) => sessions.count(filterOf(state))));
  return counts.reduce((sum, count) => sum + count, 0);
}

type Chargers = Collection<Charger & Document>;
type StateCounts = Record<ChargingState, number>;
type ChargerNumbers = Pick<NetworkStatistics, 'chargers' | 'connectedChargers' | 'sockets' | 'socketsByState'>;

/** Tallies are few, however many chargers there are: one index row is read for each charger, and no document. */
async function countChargers(chargers: Chargers, clientId: string): Promise<ChargerNumbers> {
  const byState = Object.fromEntries(CHARGING_STATES.map((state) => [state, 0])) as StateCounts;
  const [connected, others] = await Promise.all(
    [true, false].map((active) => countTallies(chargers, { clientId, active }, byState)),
  );
  return {
    chargers: (connected ?? 0) + (others ?? 0),
    connectedChargers: connected ?? 0,
    sockets: Object.values(byState).reduce((sum, count) => sum + count, 0),
    socketsByState: byState,
  };
}

/** Adds to the counts; returns the number of chargers. */
async function countTallies(
  chargers: Chargers,
  { clientId, active }: { readonly clientId: string; readonly active: boolean },
  byState: StateCounts,
): Promise<number> {
  const which = and(eq('clientId', clientId), eq('connection.active', active));
  let chargerCount = 0;
  for (const { values, count } of await chargers.countGroups(['reported.tally'], which)) {
    chargerCount += count;
    for (const [state, sockets] of statesIn(String(values[0]), active)) byState[state] += sockets * count;
  }
  return chargerCount;
}
