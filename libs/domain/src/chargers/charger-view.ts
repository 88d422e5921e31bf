// What is derived from a charger's stored truth, the same for both HTTP generations.
import {
  CHARGING_STATES,
  type Charger,
  type ChargerReports,
  type ChargingState,
  type RegisteredSocket,
  type ReportedStatus,
  type SocketAvailability,
} from './charger';

import type { OngoingTransaction } from '../sessions/ongoing-transaction';

/** From the most to the least telling, for a charger's own state (spec/http-apis, "States"). */
const BY_ACTIVITY: readonly ChargingState[] = [
  'Charging',
  'SuspendedCAR',
  'SuspendedCHARGER',
  'Preparing',
  'Finishing',
  'Reserved',
  'Error',
  'Unavailable',
  'Booting',
  'Info',
  'Available',
  'Offline',
];

/** A socket as both generations show it: what the owner registered beside what the charger reported. */
export interface SocketView {
  readonly id: number;
  readonly registered: RegisteredSocket | undefined;
  readonly reported: ReportedStatus | undefined;
  /** Offline while the charger has no connection or the socket was never reported. */
  readonly state: ChargingState;
  /** What it was told by us, or the whole charger was. */
  readonly availability: SocketAvailability | undefined;
}

/** Sockets that were registered or reported, by id. Empty until the one or the other has happened. */
export function viewSockets(charger: Charger): readonly SocketView[] {
  const registered = new Map(charger.registered.sockets.map((socket) => [socket.id, socket]));
  const ids = new Set([...registered.keys(), ...Object.keys(charger.reported.sockets).map(Number)]);
  return [...ids]
    .sort((a, b) => a - b)
    .map((id) => {
      const reported = charger.reported.sockets[String(id)];
      const { availability } = charger.reported;
      return {
        ...{ id, registered: registered.get(id), reported, state: socketState(charger, reported) },
        availability: availability?.[String(id)] ?? availability?.['0'],
      };
    });
}

/** What lists call ongoing, by socket: no session that was refused, unless the charger charges despite that. */
export function ongoingTransactions({ reported }: Charger): readonly OngoingTransaction[] {
  return Object.values(reported.ongoing)
    .filter(({ refused }) => refused !== true)
    .sort((a, b) => a.socketId - b.socketId);
}

/**
 * Offline without a connection, else the charger's own state. Lists filter the same way: Offline is `connection.active`
 * false, any other state is `connection.active` true and `reported.ownState`.
 */
export function chargerState(charger: Charger): ChargingState {
  if (!charger.connection.active) return 'Offline';
  // Documents written before the state was kept lack it: it is computed until the charger's next message stores it.
  return charger.reported.ownState ?? ownStateOf(charger.reported);
}

/** A charger's own state as if it were connected: connector 0's when that is not Available, else the most active socket's. */
export function ownStateOf({ status, sockets }: Pick<ChargerReports, 'status' | 'sockets'>): ChargingState {
  const own = status?.state;
  if (own !== undefined && own !== 'Available') return own;
  const states = Object.values(sockets).map((socket) => socket.state);
  return BY_ACTIVITY.find((state) => states.includes(state)) ?? own ?? 'Booting';
}

/**
 * How many sockets are in each state while the charger is connected, as text (`Available*2,Charging*1`), kept so that a
 * whole network is counted without reading each charger. Without a connection the same number is Offline.
 */
export function socketTally({ registered, reported }: Pick<Charger, 'registered' | 'reported'>): string {
  const counts = new Map<ChargingState, number>();
  const count = (state: ChargingState): unknown => counts.set(state, (counts.get(state) ?? 0) + 1);
  for (const { state } of Object.values(reported.sockets)) count(state);
  for (const { id } of registered.sockets) if (reported.sockets[String(id)] === undefined) count('Offline');
  return CHARGING_STATES.filter((state) => counts.has(state))
    .map((state) => `${state}*${String(counts.get(state))}`)
    .join(',');
}

/** What `socketTally` wrote. */
export function readTally(tally: string): readonly (readonly [ChargingState, number])[] {
  const parts = tally === '' ? [] : tally.split(',').map((part) => part.split('*'));
  return parts.flatMap(([name, count]) => {
    const state = CHARGING_STATES.find((each) => each === name);
    return state === undefined ? [] : [[state, Number(count)] as const];
  });
}

function socketState(charger: Charger, reported: ReportedStatus | undefined): ChargingState {
  if (!charger.connection.active || reported === undefined) return 'Offline';
  return reported.state;
}
