// A client's network in numbers, counted from what is stored at the moment of asking.
import {
  CHARGING_STATES,
  toInstant,
  viewSockets,
  type Charger,
  type ChargingState,
  type NetworkStatistics,
  type StatisticsReader,
} from '@busbar/domain';
import { and, eq, gt, gte, type Collection, type Document, type Store } from '../port';
import { chargersCollection, sessionsCollection, sitesCollection } from './collections';

/** Chargers read at a time: bounds what one call for statistics holds in memory. */
const PAGE = 500;

export function statisticsRecords(store: Store): StatisticsReader {
  const sites = store.collection(sitesCollection);
  const chargers = store.collection(chargersCollection);
  const sessions = store.collection(sessionsCollection);
  return {
    async read(clientId, now): Promise<NetworkStatistics> {
      const own = eq('clientId', clientId);
      const midnight = `${toInstant(now).slice(0, 10)}T00:00:00.000Z`;
      const [siteCount, network, inProgress, today, ended] = await Promise.all([
        sites.count(own),
        countChargers(chargers, clientId),
        sessions.count(and(own, eq('state', 'ongoing'))),
        sessions.count(and(own, gte('startTime', midnight))),
        sessions.countBy('state', and(own, gte('endTime', midnight)), 'consumptionWh'),
      ]);
      return {
        sites: siteCount,
        ...network,
        sessionsInProgress: inProgress,
        sessionsToday: today,
        energyTodayWh: ended.reduce((sum, group) => sum + group.sum, 0),
        generatedAt: toInstant(now),
      };
    },
  };
}

type ChargerNumbers = Pick<NetworkStatistics, 'chargers' | 'connectedChargers' | 'sockets' | 'socketsByState'>;

async function countChargers(chargers: Collection<Charger & Document>, clientId: string): Promise<ChargerNumbers> {
  const byState = Object.fromEntries(CHARGING_STATES.map((state) => [state, 0])) as Record<ChargingState, number>;
  const numbers = { chargers: 0, connectedChargers: 0, sockets: 0 };
  let after = '';
  for (;;) {
    const page = await chargers.find(and(eq('clientId', clientId), gt('_id', after)), {
      sort: [['_id', 1]],
      limit: PAGE,
    });
    for (const charger of page) {
      numbers.chargers += 1;
      if (charger.connection.active) numbers.connectedChargers += 1;
      for (const socket of viewSockets(charger)) {
        numbers.sockets += 1;
        byState[socket.state] += 1;
      }
    }
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return { ...numbers, socketsByState: byState };
    after = last._id;
  }
}
