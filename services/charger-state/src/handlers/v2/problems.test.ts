import type { Charger } from '@busbar/domain/chargers';
import { handle, secondsBefore, type Situation } from '../../testing/handler-situation';
import type { RequestOf } from './route';
import { notifyEvent, statusNotification } from './status-notification';

type EventData = RequestOf<'NotifyEvent'>['eventData'][number];

const AT = secondsBefore(5);
const CONNECTOR = { name: 'Connector', evse: { id: 1, connectorId: 1 } };
const eventOf = (fields: Partial<EventData> = {}): EventData => ({
  eventId: 1,
  timestamp: AT,
  trigger: 'Alerting',
  actualValue: 'true',
  eventNotificationType: 'HardWiredNotification',
  component: CONNECTOR,
  variable: { name: 'Problem' },
  ...fields,
});
const notify = (eventData: readonly EventData[], reported: Situation['reported'] = connected()) =>
  handle(notifyEvent, { generatedAt: AT, seqNo: 0, eventData: [...eventData] }, { position: [1, 9], reported });

/** EVSE 1 with two connectors and EVSE 2 with one, all Available, and the station. */
function connected(): Charger['reported'] {
  const places = [
    [1, 1],
    [1, 2],
    [2, 1],
    [0, 0],
  ] as const;
  return places.reduce<Charger['reported'] | undefined>((reported, [evseId, connectorId]) => {
    const payload = { evseId, connectorId, connectorStatus: 'Available', timestamp: secondsBefore(60) } as const;
    return handle(statusNotification, payload, { ...(reported && { reported }) }).charger.reported;
  }, undefined) as Charger['reported'];
}

const codesOf = ({ sockets, status }: Charger['reported']) => ({
  ...Object.fromEntries(Object.entries(sockets).map(([id, { errorCode }]) => [id, errorCode])),
  station: status?.errorCode,
});
const NONE = { '1': '', '102': '', '2': '', station: '' };

describe('a problem', () => {
  it.each<[string, Partial<EventData>, Partial<typeof NONE>]>([
    ['of a connector, by its code', { techCode: 'E42' }, { '1': 'E42' }],
    ['of a connector without a code, by the name of the component', {}, { '1': 'Connector' }],
    ['of a Fault', { variable: { name: 'Fault' } }, { '1': 'Connector' }],
    [
      'of the lock',
      { component: { name: 'ConnectorPlugRetentionLock', evse: { id: 1, connectorId: 2 } } },
      { '102': 'ConnectorPlugRetentionLock' },
    ],
    [
      'of an EVSE, at each of its sockets',
      { component: { name: 'EVSE', evse: { id: 1 } } },
      { '1': 'EVSE', '102': 'EVSE' },
    ],
    ['of the station', { component: { name: 'ChargingStation' }, techCode: 'X' }, { station: 'X' }],
    ['of a connector without its EVSE: of none', { component: { name: 'Connector' } }, {}],
    ['of an EVSE without its number: of none', { component: { name: 'EVSE' } }, {}],
    ['of EVSE 0, at the station', { component: { name: 'EVSE', evse: { id: 0 } } }, { station: 'EVSE' }],
    ['of another component: of none', { component: { name: 'Controller' } }, {}],
    [
      'of a connector that is not known: of none',
      { component: { name: 'Connector', evse: { id: 7, connectorId: 1 } } },
      {},
    ],
  ])('135. is shown as the error code %s', (_title, fields, expected) => {
    expect(codesOf(notify([eventOf(fields)]).charger.reported)).toEqual({ ...NONE, ...expected });
  });

  // The source is TC_G_20 of OCPP 2.0.1 Part 6, not a requirement of Part 2.
  it('135. leaves the state as the status has it, also at later statuses, and is in history and feed', () => {
    const { charger, rows, emitted } = notify([eventOf()]);
    const change = { socketId: 1, state: 'Available', errorCode: 'Connector' };
    expect(rows.stateChanges).toMatchObject([{ ...change, at: AT }]);
    expect(emitted).toMatchObject([{ type: 'socket.state_changed', data: { ...change, previousState: 'Available' } }]);
    const payload = { evseId: 1, connectorId: 1, connectorStatus: 'Unavailable', timestamp: secondsBefore(1) } as const;
    const later = handle(statusNotification, payload, { position: [1, 10], reported: charger.reported });
    expect(later.charger.reported.sockets['1']).toMatchObject({ state: 'Unavailable', errorCode: 'Connector' });
  });

  const CLEARED = { actualValue: 'false', timestamp: secondsBefore(2) };
  it.each<[string, readonly Partial<EventData>[], readonly [evseId: number, connectorId: number], string]>([
    ['of the connector', [{}], [1, 1], 'Connector'],
    ['of the EVSE', [{ component: { name: 'EVSE', evse: { id: 1 } } }], [1, 2], 'EVSE'],
    ['of the station', [{ component: { name: 'ChargingStation' } }], [0, 0], 'ChargingStation'],
    ['of another connector: not', [{}], [1, 2], ''],
    ['that was cleared: not', [{}, CLEARED], [1, 1], ''],
    ['that was cleared, in the other order: not', [CLEARED, {}], [1, 1], ''],
  ])(
    '135. is shown by the first status after it, where it is %s',
    (_title, events, [evseId, connectorId], errorCode) => {
      const { reported } = notify(events.map(eventOf), {}).charger;
      const payload = { evseId, connectorId, connectorStatus: 'Available', timestamp: secondsBefore(1) } as const;
      const { charger, rows } = handle(statusNotification, payload, { reported });
      expect(rows.stateChanges).toMatchObject([{ errorCode }]);
      const { sockets, status } = charger.reported;
      expect([...Object.values(sockets), status].map((each) => each?.errorCode)).toContain(errorCode);
      const socketIds = Object.keys(charger.reported.problems ?? {}).filter((key) => !key.startsWith('evse:'));
      expect(socketIds).toEqual(connectorId === 2 && events[0]?.component === undefined ? ['1'] : []);
    },
  );

  it('132. counts an availability event of a connector beyond 99', () => {
    const component = { name: 'Connector', evse: { id: 1, connectorId: 100 } };
    const data = eventOf({ component, variable: { name: 'AvailabilityState' }, actualValue: 'Available' });
    expect(notify([data]).deviations).toEqual(['surplus_connector']);
  });

  it.each<[string, Partial<EventData>]>([
    ['false', { actualValue: 'false' }],
    ['cleared', { cleared: true }],
  ])('135. is gone when an event says that it is %s', (_title, fields) => {
    const { charger } = notify([eventOf(), eventOf({ ...fields, timestamp: secondsBefore(3) })]);
    expect(codesOf(charger.reported)).toEqual(NONE);
  });

  it('135. of a whole EVSE changes its sockets once a message, as its last event says, whatever their order', () => {
    const before = connected();
    const component = { name: 'EVSE', evse: { id: 1 } };
    const events = Array.from({ length: 9 }, (_, n) =>
      eventOf({ component, timestamp: secondsBefore(20 - n), actualValue: n % 2 === 0 ? 'true' : 'false' }),
    );
    // As texts the times of another zone sort elsewhere.
    const inZone = (at: string) => new Date(Date.parse(at) - 7_200_000).toISOString().replace('Z', '-02:00');
    const zoned = events.map((each, n) => (n % 2 === 0 ? { ...each, timestamp: inZone(each.timestamp) } : each));
    const { charger, rows } = notify(zoned.toReversed(), before);
    expect(codesOf(charger.reported)).toEqual({ 1: 'EVSE', 102: 'EVSE', 2: '', station: '' });
    expect(rows.stateChanges).toHaveLength(2);
  });

  it('135. stays gone where the event that set it comes late', () => {
    const { charger } = notify([eventOf({ actualValue: 'false' }), eventOf({ timestamp: secondsBefore(9) })]);
    expect(codesOf(charger.reported)).toEqual(NONE);
  });

  it.each<[string, Partial<EventData>, Partial<typeof NONE>]>([
    ['a connector', {}, { '1': 'E42' }],
    ['an EVSE', { component: { name: 'EVSE', evse: { id: 1 } } }, { '1': 'E42', '102': 'E42' }],
  ])('135. of %s is shown while its Fault is false, also of the same message', (_title, fields, expected) => {
    const problem = eventOf({ ...fields, techCode: 'E42' });
    const fault = eventOf({
      ...fields,
      variable: { name: 'Fault' },
      actualValue: 'false',
      timestamp: secondsBefore(1),
    });
    expect(codesOf(notify([problem, fault]).charger.reported)).toEqual({ ...NONE, ...expected });
    const gone = notify([problem, fault, { ...problem, actualValue: 'false', timestamp: secondsBefore(1) }]);
    expect(codesOf(gone.charger.reported)).toEqual(NONE);
  });

  it('135. of one component is shown while that of another is cleared', () => {
    const lock = { component: { name: 'ConnectorPlugRetentionLock', evse: { id: 1, connectorId: 1 } } };
    const { charger } = notify([eventOf(), eventOf(lock), eventOf({ cleared: true, timestamp: secondsBefore(1) })]);
    expect(codesOf(charger.reported)).toEqual({ ...NONE, '1': 'ConnectorPlugRetentionLock' });
  });
});
