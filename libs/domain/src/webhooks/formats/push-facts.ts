// What the push formats report of an event, before the field names of a format. Pure. v1 and v2 differ in names and in the fields of the
// envelope; which events make a message, and which do not, is the same and decided here.
import type { EventData, EventName, FeedEvent } from '@busbar/contracts';

/** `deviceTime`: of the charger's own clock; where it reported none, the time of receipt. */
export type PushFact =
  | {
      readonly kind: 'ChargerState';
      readonly socketId: number;
      readonly deviceTime: string;
      readonly status: string;
      readonly errorCode: string;
      readonly message: string;
    }
  | { readonly kind: 'ChargerBoot'; readonly boot: EventData<'charger.booted'> }
  | {
      readonly kind: 'ChargingTransaction';
      readonly action: 'transaction_start' | 'transaction_stop';
      readonly session: EventData<'session.started'>;
      readonly deviceTime: string;
      /** Wh. Null where the session ended without a reading. */
      readonly meterRead: number | null;
    }
  | {
      readonly kind: 'FullChargingTransaction';
      readonly session: EventData<'session.ended'>;
      readonly endTime: string;
    }
  | { readonly kind: 'Measurements'; readonly measured: EventData<'meter.values'> };

const NO_ERROR = 'NoError';
const ACCEPTED = 'accepted';

/** In the order in which they are sent. */
export function pushFactsOf(event: FeedEvent): readonly PushFact[] {
  if (isOf(event, 'socket.state_changed') || isOf(event, 'socket.state_reported')) return [stateOf(event)];
  if (isOf(event, 'charger.connected') || isOf(event, 'charger.disconnected')) return socketsOf(event);
  if (isOf(event, 'charger.booted')) return [{ kind: 'ChargerBoot', boot: event.data }];
  if (isOf(event, 'session.started')) return startOf(event);
  if (isOf(event, 'session.ended')) return endOf(event);
  if (isOf(event, 'meter.values')) return [{ kind: 'Measurements', measured: event.data }];
  return [];
}

function isOf<Name extends EventName>(event: FeedEvent, name: Name): event is FeedEvent<Name> {
  return event.type === name;
}

function stateOf({
  timestamp,
  data,
}: FeedEvent<'socket.state_changed'> | FeedEvent<'socket.state_reported'>): PushFact {
  const { socketId, state: status, errorCode, info: message, deviceTime } = data;
  return {
    kind: 'ChargerState',
    socketId,
    deviceTime: deviceTime ?? timestamp,
    status,
    errorCode: errorCode === '' ? NO_ERROR : errorCode,
    message,
  };
}

/** The charger reports no error with them: its next status has one. */
function socketsOf({
  timestamp,
  data,
}: FeedEvent<'charger.connected'> | FeedEvent<'charger.disconnected'>): readonly PushFact[] {
  return data.sockets.map(({ socketId, state: status }) => ({
    kind: 'ChargerState',
    socketId,
    deviceTime: timestamp,
    status,
    errorCode: NO_ERROR,
    message: '',
  }));
}

function startOf({ data: session }: FeedEvent<'session.started'>): readonly PushFact[] {
  if (session.verdict !== ACCEPTED) return [];
  const { startTime: deviceTime, meterStart: meterRead } = session;
  return [{ kind: 'ChargingTransaction', action: 'transaction_start', session, deviceTime, meterRead }];
}

function endOf({ data: session }: FeedEvent<'session.ended'>): readonly PushFact[] {
  const { endTime, meterStop: meterRead } = session;
  if (session.verdict !== ACCEPTED || session.superseded || endTime === null) return [];
  return [
    { kind: 'ChargingTransaction', action: 'transaction_stop', session, deviceTime: endTime, meterRead },
    { kind: 'FullChargingTransaction', session, endTime },
  ];
}
