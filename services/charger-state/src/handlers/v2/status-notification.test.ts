import { handle, RECEIVED_AT, secondsBefore, type Situation } from '../../testing/handler-situation';
import type { RequestOf } from './route';
import { notifyEvent, statusNotification } from './status-notification';

type EventData = RequestOf<'NotifyEvent'>['eventData'][number];

const AT = secondsBefore(5);
const status = (fields: object = {}, situation: Situation = {}) =>
  handle(
    statusNotification,
    { evseId: 1, connectorId: 1, connectorStatus: 'Available', timestamp: AT, ...fields },
    situation,
  );
const eventOf = (
  component: EventData['component'],
  actualValue = 'Available',
  variable = 'AvailabilityState',
): EventData => ({
  eventId: 1,
  timestamp: AT,
  trigger: 'Delta',
  actualValue,
  eventNotificationType: 'HardWiredNotification',
  component,
  variable: { name: variable },
});
const notify = (eventData: EventData[], situation: Situation = {}) =>
  handle(notifyEvent, { generatedAt: AT, seqNo: 0, eventData }, situation);
const connector = (id: number, connectorId = 1) => ({ name: 'Connector', evse: { id, connectorId } });

it.each([
  ['Available', 'Available'],
  ['Reserved', 'Reserved'],
  ['Unavailable', 'Unavailable'],
  ['Faulted', 'Error'],
  ['Occupied', 'Preparing'],
])('133. creates a socket that is %s', (connectorStatus, state) => {
  const { charger, rows, emitted } = status({ connectorStatus });
  expect(charger.reported.sockets['1']).toMatchObject({ state, errorCode: '', at: AT, position: [1, 5] });
  expect(rows.stateChanges).toMatchObject([{ socketId: 1, state, at: AT, receivedAt: RECEIVED_AT }]);
  expect(emitted).toMatchObject([{ type: 'socket.state_changed', data: { socketId: 1, state } }]);
});

it.each([
  ['132. names the first connector of an EVSE as the EVSE', 2, 1, 2],
  ['132. names a further connector by both numbers', 2, 3, 203],
])('%s', (_title, evseId, connectorId, socketId) => {
  expect(Object.keys(status({ evseId, connectorId }).charger.reported.sockets)).toEqual([String(socketId)]);
});

it.each([
  [0, 0],
  [0, 1],
  [1, 0],
])('133. stores EVSE %d connector %d as the charger’s own status', (evseId, connectorId) => {
  const { charger } = status({ evseId, connectorId, connectorStatus: 'Faulted' });
  expect(charger.reported.status).toMatchObject({ state: 'Error' });
  expect(charger.reported.sockets).toEqual({});
});

it.each([
  [100, 1],
  [1, 100],
])('132. counts EVSE %d connector %d, which has no socket, and changes nothing', (evseId, connectorId) => {
  const { charger, before, rows, deviations } = status({ evseId, connectorId });
  expect(charger).toBe(before);
  expect([rows.stateChanges, deviations]).toEqual([[], ['surplus_connector']]);
});

it.each([
  ['before 2020', '2019-12-31T23:59:59Z'],
  ['more than a minute ahead', secondsBefore(-61)],
])('51. replaces a timestamp %s by the time of receipt, also that of an event', (_title, timestamp) => {
  for (const { charger, rows, deviations } of [
    status({ timestamp }),
    notify([{ ...eventOf(connector(1)), timestamp }]),
  ]) {
    expect(charger.reported.sockets['1']).toMatchObject({ state: 'Available', at: RECEIVED_AT });
    expect(rows.stateChanges).toMatchObject([{ at: RECEIVED_AT }]);
    expect(deviations).toEqual(['clock_off']);
  }
});

describe('an event', () => {
  it('134. of AvailabilityState of a connector is a status at its time', () => {
    const { charger, rows } = notify([eventOf(connector(1), 'Faulted'), eventOf(connector(2), 'Occupied')]);
    expect(charger.reported.sockets).toMatchObject({ '1': { state: 'Error', at: AT }, '2': { state: 'Preparing' } });
    expect(rows.stateChanges).toHaveLength(2);
    expect(rows.events).toHaveLength(2);
  });

  it('is a row of its own among several of one message, in their order, with component and severity', () => {
    const alert = { ...eventOf({ name: 'TariffCostCtrlr' }, 'true', 'Problem'), severity: 2 };
    const { rows } = notify([alert, eventOf(connector(1)), alert]);
    expect(rows.events).toEqual([
      expect.objectContaining({ rowId: 'report-1', component: 'tariffcostctrlr', severity: 2, payload: alert }),
      expect.objectContaining({ rowId: 'report-1.0001', component: 'connector', payload: eventOf(connector(1)) }),
      expect.objectContaining({ rowId: 'report-1.0002', component: 'tariffcostctrlr' }),
    ]);
    expect(rows.events[1]).not.toHaveProperty('severity');
  });

  it('134. of the charging station is its own status', () => {
    expect(notify([eventOf({ name: 'ChargingStation' }, 'Unavailable')]).charger.reported.status).toMatchObject({
      state: 'Unavailable',
    });
  });

  it('134. and a status of one change have one row', () => {
    const [byStatus] = status().rows.stateChanges;
    const [byEvent] = notify([eventOf(connector(1))]).rows.stateChanges;
    expect(byEvent?.rowId).toBe(byStatus?.rowId);
    expect(status({ connectorStatus: 'Faulted' }).rows.stateChanges[0]?.rowId).not.toBe(byStatus?.rowId);
  });

  it('134. that is older than the status; 51. is in the history only', () => {
    const later = status({ timestamp: secondsBefore(1) }, { position: [1, 5] }).charger.reported;
    const { charger, rows } = notify([eventOf(connector(1), 'Faulted')], { position: [1, 6], reported: later });
    expect(charger.reported.sockets['1']).toMatchObject({ state: 'Available' });
    expect(rows.stateChanges).toMatchObject([{ state: 'Error', at: AT }]);
  });

  const occupied = { ...eventOf(connector(1), 'Occupied'), timestamp: secondsBefore(60) };
  it.each([
    ['by time', [occupied, eventOf(connector(1))]],
    ['against it', [eventOf(connector(1)), occupied]],
  ])('134. among several of one connector in one message, ordered %s, leaves the latest state', (_title, eventData) => {
    const { charger, rows } = notify(eventData);
    expect(charger.reported.sockets['1']).toMatchObject({ state: 'Available', at: AT });
    expect(rows.stateChanges.map(({ state }) => state).sort()).toEqual(['Available', 'Preparing']);
  });

  it('134. among several of the charging station in one message leaves the latest status', () => {
    const station = { name: 'ChargingStation' };
    const unavailable = { ...eventOf(station, 'Unavailable'), timestamp: secondsBefore(60) };
    expect(notify([unavailable, eventOf(station)]).charger.reported.status).toMatchObject({ state: 'Available' });
  });

  it('134. of an EVSE is its own state, by the time of the events', () => {
    const evse = { name: 'EVSE', evse: { id: 2 } };
    const first = notify([eventOf(evse, 'Unavailable'), { ...eventOf(evse, 'Faulted'), timestamp: secondsBefore(9) }]);
    expect(first.charger.reported.evses).toEqual({ '2': { state: 'Unavailable', at: AT } });
    expect(first.charger.reported.sockets).toEqual({});
  });

  it('150. of a variable that the configuration has changes its value, and adds none', () => {
    const item = { configName: 'OCPPCommCtrlr.HeartbeatInterval', configValue: '300', canBeChanged: true };
    const controller = { name: 'OCPPCommCtrlr' };
    const data = [eventOf(controller, '600', 'HeartbeatInterval'), eventOf(controller, '5', 'RetryBackOffRepeatTimes')];
    const { charger } = notify(data, { reported: { configuration: [item] } });
    expect(charger.reported.configuration).toMatchObject([{ ...item, configValue: '600' }]);
    expect(charger.reported.configuration).toHaveLength(1);
  });

  it('150. among several of one variable in one message leaves the latest value, in configuration and model', () => {
    const item = { configName: 'OCPPCommCtrlr.HeartbeatInterval', configValue: '300', canBeChanged: true };
    const of = (actualValue: string, seconds: number) => ({
      ...eventOf({ name: 'OCPPCommCtrlr' }, actualValue, 'HeartbeatInterval'),
      timestamp: secondsBefore(seconds),
    });
    const [old, last] = [of('600', 60), of('900', 5)];
    for (const eventData of [
      [old, last],
      [last, old],
    ]) {
      const { charger } = notify(eventData, { reported: { configuration: [item], reports: [] } });
      expect(charger.reported.configuration).toMatchObject([{ configValue: '900' }]);
      expect(charger.reported.changedValues).toMatchObject([{ value: '900' }]);
    }
  });

  it.each<[string, EventData['component'], string]>([
    ['another variable', connector(1), 'Power'],
    ['an EVSE beyond 99', { name: 'EVSE', evse: { id: 100 } }, 'AvailabilityState'],
    ['a connector without its number', { name: 'Connector', evse: { id: 1 } }, 'AvailabilityState'],
    ['a place beyond 99', connector(100), 'AvailabilityState'],
  ])('of %s is stored, and changes no socket', (_title, component, variable) => {
    const { charger, before, rows } = notify([eventOf(component, 'Faulted', variable)]);
    expect(charger).toBe(before);
    expect([rows.stateChanges, rows.events.length]).toEqual([[], 1]);
  });
});
