// What an event of the feed changes in a charger as it is shown. Pure: tables of situations test it.
import type { components } from '../api/generated/v2';
import { isState } from '../parts/states';

type Event = components['schemas']['Event'];
type Shown = Pick<
  components['schemas']['ListedCharger'],
  | 'state'
  | 'activeConnection'
  | 'connectedSince'
  | 'lastSeen'
  | 'ocppVersion'
  | 'sockets'
  | 'manufacturer'
  | 'model'
  | 'firmware'
  | 'serial'
>;

/** Types that change a row of the fleet. */
export const ROW_TYPES = [
  'charger.booted',
  'charger.connected',
  'charger.deleted',
  'charger.disconnected',
  'charger.state_changed',
  'charger.updated',
  'socket.state_changed',
] as const;

export function applyEvent<T extends Shown>(charger: T, event: Event): T {
  switch (event.type) {
    case 'charger.state_changed':
      return isState(event.data.state) ? seen({ ...charger, state: event.data.state }, event) : charger;
    case 'socket.state_changed': {
      const { errorCode, vendorErrorCode, info } = event.data;
      return seen(withSocket(charger, event.data, { errorCode, vendorErrorCode, info }), event);
    }
    case 'charger.connected':
      return seen(
        {
          ...withStates(charger, event.data.sockets),
          activeConnection: true,
          connectedSince: event.data.connectedSince ?? event.timestamp,
          ocppVersion: event.data.ocppVersion ?? charger.ocppVersion,
        },
        event,
      );
    case 'charger.disconnected':
      return { ...withStates(charger, event.data.sockets), activeConnection: false, connectedSince: null };
    case 'charger.booted': {
      const { manufacturer, model, serial, firmware } = event.data;
      return seen({ ...charger, manufacturer, model, serial, firmware }, event);
    }
    default:
      return charger;
  }
}

function seen<T extends Shown>(charger: T, { timestamp }: Event): T {
  const isLater = charger.lastSeen === null || charger.lastSeen < timestamp;
  return isLater ? { ...charger, lastSeen: timestamp } : charger;
}

type Reported = Pick<Shown['sockets'][number], 'errorCode' | 'vendorErrorCode' | 'info'>;

/** `reported`: undefined leaves what the charger reported of the socket as it is. */
function withSocket<T extends Shown>(charger: T, { socketId, state }: SocketState, reported?: Reported): T {
  if (!isState(state)) return charger;
  const sockets = charger.sockets.map((socket) =>
    socket.id === socketId ? { ...socket, ...reported, status: state } : socket,
  );
  return { ...charger, sockets };
}

function withStates<T extends Shown>(charger: T, states: readonly SocketState[]): T {
  return states.reduce((changed, state) => withSocket(changed, state), charger);
}

interface SocketState {
  readonly socketId: number;
  readonly state: string;
}
