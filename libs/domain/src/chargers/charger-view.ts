// Both APIs derive these values from a charger's record.
import type { Admission, Charger, ChargerReports, RegisteredSocket, SocketAvailability } from './charger';
import { CHARGING_STATES, type ChargingState, type ReportedStatus } from './reported-status';

import type { OngoingTransaction } from '../sessions/ongoing-transaction';

/** From the most to the least significant, for a charger's own state. */
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

/** A socket as both APIs show it: the registered fields beside the reported ones. */
export interface SocketView {
  readonly id: number;
  readonly registered: RegisteredSocket | undefined;
  readonly reported: ReportedStatus | undefined;
  /** Offline while the charger has no connection or the socket was never reported. */
  readonly state: ChargingState;
  /** The availability that we set for the socket or for the whole charger. */
  readonly availability: SocketAvailability | undefined;
}

/** What its BootNotifications of OCPP 2.x are answered; a record of an older version has no value. */
export function admissionOf({ registered: { admission = 'accept' } }: Pick<Charger, 'registered'>): Admission {
  return admission;
}

/** Whether it speaks OCPP 1.6, as does one that has never connected. Without a connection: its last one. */
export function isOfOcpp16({ connection: { ocppVersion } }: Pick<Charger, 'connection'>): boolean {
  return ocppVersion === null || ocppVersion === 'ocpp1.6';
}

/** The registered or reported sockets, by id. */
export function viewSockets(charger: Charger): readonly SocketView[] {
  const registered = new Map(charger.registered.sockets.map((socket) => [socket.id, socket]));
  const ids = new Set([...registered.keys(), ...Object.keys(charger.reported.sockets).map(Number)]);
  return [...ids]
    .sort((a, b) => a - b)
    .map((id) => {
      const reported = charger.reported.sockets[String(id)];
      const { availability } = charger.reported;
      return {
        id,
        registered: registered.get(id),
        reported,
        state: socketState(charger, reported),
        availability: availability?.[String(id)] ?? availability?.['0'],
      };
    });
}

/** The ongoing sessions by socket, without refused ones unless the charger charges despite the refusal. */
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
  return charger.connection.active ? charger.reported.ownState : 'Offline';
}

/** A charger's own state as if it were connected: connector 0's when that is not Available, else the most active socket's. */
export function ownStateOf({ status, sockets }: Pick<ChargerReports, 'status' | 'sockets'>): ChargingState {
  const own = status?.state;
  if (own !== undefined && own !== 'Available') return own;
  return mostActiveOf(Object.values(sockets).map((socket) => socket.state)) ?? own ?? 'Booting';
}

function mostActiveOf(states: readonly ChargingState[]): ChargingState | undefined {
  return BY_ACTIVITY.find((state) => states.includes(state));
}

const NOT_FROM_SOCKETS: ReadonlySet<ChargingState> = new Set(['Reserved', 'Unavailable', 'Error']);

/**
 * The state of an EVSE: the one that it reported itself where that is Reserved, Unavailable or Error, else that of its most active socket.
 * Offline without a connection. `states`: of its sockets.
 */
export function evseState(
  { connection, reported }: Pick<Charger, 'connection' | 'reported'>,
  evseId: number,
  states: readonly ChargingState[],
): ChargingState {
  if (!connection.active) return 'Offline';
  const own = reported.evses?.[String(evseId)]?.state;
  if (own !== undefined && NOT_FROM_SOCKETS.has(own)) return own;
  return mostActiveOf(states) ?? own ?? 'Offline';
}

/**
 * The number of sockets in each state while the charger is connected, as text (`Available*2,Charging*1`). Stored so
 * that a network is counted without reading each charger. Without a connection all of them are Offline.
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

/** Reads the text of `socketTally`. */
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
