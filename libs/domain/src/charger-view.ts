// What is derived from a charger's stored truth, the same for both HTTP generations.
import type {
  Charger,
  ChargerReports,
  ChargingState,
  RegisteredSocket,
  ReportedStatus,
  SocketAvailability,
} from './charger';

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

function socketState(charger: Charger, reported: ReportedStatus | undefined): ChargingState {
  if (!charger.connection.active || reported === undefined) return 'Offline';
  return reported.state;
}
