// The device model of a charger: what its reports, its responses and its events tell of it.
import type { Charger } from '@busbar/domain/chargers';
import type { DeviceModel } from '@busbar/domain/device-model';
import { answered2, handle, RECEIVED_AT, secondsBefore, type Situation } from '../../testing/handler-situation';
import { bootNotification } from './boot-notification';
import { notifyDisplayMessages } from './display-messages';
import { notifyMonitoringReport } from './monitors';
import { customerInformationOutcome, getBaseReportOutcome, notifyCustomerInformation } from './reports';
import type { RequestOf } from './route';
import { notifyEvent } from './status-notification';
import { getVariablesOutcome, notifyReport, setVariablesOutcome } from './variables';

type ReportData = (RequestOf<'NotifyReport'>['reportData'] & object)[number];

const INTERVAL = { component: { name: 'OCPPCommCtrlr' }, variable: { name: 'HeartbeatInterval' } };
const NAME = 'OCPPCommCtrlr.HeartbeatInterval';

/** A charger and its device model, over several messages. */
function open(firmware = '1.0') {
  let [reported, deviceModel, seq]: [Partial<Charger['reported']>, Partial<DeviceModel>, number] = [{}, {}, 10];
  function next<P, A>(handler: Parameters<typeof handle<P, A>>[0], payload: P, report: Situation['report'] = {}) {
    seq += 1;
    const result = handle(handler, payload, {
      reported,
      deviceModel,
      position: [1, seq],
      report: { id: `r-${String(seq)}`, ...report },
    });
    reported = result.charger.reported;
    const [row] = result.rows.deviceModels;
    if (row !== undefined) deviceModel = row.to;
    return result;
  }
  const boot = () =>
    next(bootNotification, {
      reason: 'PowerUp',
      chargingStation: { vendorName: 'v', model: 'm', firmwareVersion: firmware },
    });
  boot();
  return {
    next,
    boot,
    ask: (
      requestId: number,
      reportBase: RequestOf<'GetBaseReport'>['reportBase'],
      status: 'Accepted' | 'NotSupported' | 'Rejected' | 'EmptyResultSet' = 'Accepted',
      commandId?: string,
    ) =>
      next(getBaseReportOutcome, answered2<'GetBaseReport'>({ requestId, reportBase }, { status }), {
        action: 'GetBaseReport',
        ...(commandId !== undefined && { commandId }),
      }),
    part: (requestId: number, seqNo: number, reportData: readonly ReportData[], tbc = false) =>
      next(notifyReport, { requestId, generatedAt: RECEIVED_AT, seqNo, tbc, reportData }, { action: 'NotifyReport' }),
    set: (value: string, attributeStatus: string, variable = INTERVAL.variable) => {
      const named = { ...INTERVAL, variable };
      const request = { setVariableData: [{ ...named, attributeValue: value }] };
      const response = { setVariableResult: [{ ...named, attributeStatus }] };
      return next(setVariablesOutcome, answered2<'SetVariables'>(request, response));
    },
    read: (attributeValue: string) => {
      const getVariableResult = [{ ...INTERVAL, attributeStatus: 'Accepted', attributeValue }];
      const request = { getVariableData: [INTERVAL] };
      return next(getVariablesOutcome, answered2<'GetVariables'>(request, { getVariableResult }));
    },
    event: (...eventData: readonly ReturnType<typeof eventOf>[]) =>
      next(notifyEvent, { generatedAt: RECEIVED_AT, seqNo: 0, eventData }),
    get reported() {
      return reported;
    },
    get variables() {
      return deviceModel.variables ?? [];
    },
    get model() {
      return deviceModel;
    },
  };
}

function eventOf(name: string, actualValue: string) {
  const kind = { trigger: 'Delta' as const, eventNotificationType: 'CustomMonitor' as const };
  return { eventId: 1, timestamp: RECEIVED_AT, ...kind, actualValue, component: { name: 'C' }, variable: { name } };
}

function data(name: string, value = '1', more: Partial<ReportData['variableAttribute'][number]> = {}): ReportData {
  return { component: { name: 'C' }, variable: { name }, variableAttribute: [{ value, ...more }] };
}

it('149. stores what a report says of each variable', () => {
  const world = open();
  world.part(7, 0, [
    {
      component: { name: 'Connector', instance: 'a', evse: { id: 1, connectorId: 2 } },
      variable: { name: 'Power', instance: 'b' },
      variableAttribute: [
        { type: 'Actual', value: '11', mutability: 'ReadOnly', constant: true },
        { type: 'MaxSet', value: '22' },
      ],
      variableCharacteristics: { dataType: 'decimal', unit: 'kW', maxLimit: 22, supportsMonitoring: true },
    },
  ]);
  const position = [1, 12];
  expect(world.variables).toEqual([
    {
      name: 'Connector[a]@1.2.Power[b]',
      component: 'Connector',
      instance: 'a',
      evseId: 1,
      connectorId: 2,
      variable: 'Power',
      variableInstance: 'b',
      attributes: [
        { type: 'Actual', value: '11', mutability: 'ReadOnly', constant: true, position },
        { type: 'MaxSet', value: '22', mutability: 'ReadWrite', position },
      ],
      characteristics: { dataType: 'decimal', unit: 'kW', maxLimit: 22 },
      updatedAt: RECEIVED_AT,
      position,
    },
  ]);
});

it('152. stores no password and nothing that the charger only takes', () => {
  const world = open();
  const password = { component: { name: 'SecurityCtrlr' }, variable: { name: 'BasicAuthPassword' } };
  const { rows } = world.part(7, 0, [
    { ...password, variableAttribute: [{ value: 'planted-1' }] },
    data('Secret', 'planted-2', { mutability: 'WriteOnly' }),
  ]);
  expect(world.variables).toHaveLength(2);
  expect(JSON.stringify([world.model, world.reported, rows])).not.toContain('planted');
});

it('150. stores an accepted value at once, and shows one for the next boot until that', () => {
  const world = open();
  world.part(7, 0, [{ ...INTERVAL, variableAttribute: [{ value: '300' }] }]);
  world.set('60', 'Accepted');
  expect(world.reported.changedValues).toMatchObject([{ name: NAME, attributeType: 'Actual', value: '60' }]);
  world.set('90', 'RebootRequired');
  expect(world.reported.changedValues).toMatchObject([{ value: '60' }, { value: '90', isPending: true }]);
  expect(world.reported.configuration).toMatchObject([{ configName: NAME, configValue: '60' }]);
  world.boot();
  expect(world.reported.changedValues).toMatchObject([{ value: '90' }]);
  expect(world.reported.changedValues?.[0]).not.toHaveProperty('isPending');
  expect(world.reported.configuration).toMatchObject([{ configName: NAME, configValue: '90' }]);
});

it('147. stores no value of a variable that the charger only takes, also where it is set', () => {
  const world = open();
  world.part(7, 0, [{ ...INTERVAL, variableAttribute: [{ mutability: 'WriteOnly' }] }]);
  world.set('planted-1', 'Accepted');
  world.set('planted-2', 'RebootRequired');
  world.event(...Array.from({ length: 26 }, (_, n) => eventOf(`V${String(n)}`, '2')));
  expect(JSON.stringify([world.model, world.reported])).not.toContain('planted');
  expect(world.reported.configuration).toMatchObject([{ configName: NAME, configValue: '' }]);
});

it('150. keeps a value for the next boot while the current one is read or reported', () => {
  const world = open();
  world.part(7, 0, [data('V')]);
  world.set('90', 'RebootRequired');
  world.read('300');
  expect(world.reported.changedValues).toMatchObject([{ value: '300' }, { value: '90', isPending: true }]);
});

it('150. keeps a hundred values for the next boot at most', () => {
  const world = open();
  for (let n = 0; n < 120; n += 1) world.set(String(n), 'RebootRequired', { name: `V${String(n)}` });
  expect(world.reported.changedValues).toHaveLength(100);
  expect(world.reported.changedValues?.at(-1)).toMatchObject({ value: '119' });
});

it('147. a read adds what can be changed to the configuration, as the model has it', () => {
  const world = open();
  world.read('300');
  expect(world.reported.configuration).toEqual([]);
  world.ask(3, 'FullInventory');
  world.part(3, 0, [{ ...INTERVAL, variableAttribute: [{ value: '1', mutability: 'ReadOnly' }] }]);
  world.read('300');
  expect(world.reported.configuration).toEqual([]);
});

it('151. a part that is repeated brings no older value back', () => {
  const world = open();
  world.part(3, 0, [data('V', '1')], true);
  world.part(4, 0, [data('V', '2')]);
  world.part(3, 0, [data('V', '1')], true);
  expect(world.variables[0]?.attributes).toMatchObject([{ value: '2' }]);
  expect(world.reported.configuration).toMatchObject([{ configValue: '2' }]);
});

it('151. a whole report removes from the configuration what it does not name', () => {
  const world = open();
  world.part(1, 0, [data('Gone'), data('Kept')]);
  world.ask(3, 'FullInventory');
  world.part(3, 0, [data('Kept')]);
  expect(world.reported.configuration?.map(({ configName }) => configName)).toEqual(['C.Kept']);
});

it('150. a refusal of a request of an operator is not final', () => {
  const world = open();
  world.ask(7, 'FullInventory', 'Rejected', 'mine');
  expect(world.reported.inventoryOf).toBeUndefined();
  world.ask(8, 'FullInventory', 'Rejected');
  expect(world.reported.inventoryOf).toBe('1.0');
});

it.each(['TokenReader', 'SecurityCtrlr'])('149. names the variables of each %s by its place', (name) => {
  const world = open();
  const at = (id: number) => ({ ...data('Enabled'), component: { name, evse: { id } } });
  world.part(7, 0, [at(1), at(2)]);
  expect(world.variables.map((each) => each.name)).toEqual([`${name}@1.Enabled`, `${name}@2.Enabled`]);
});

it('151. stores reports of monitors of a variable that is secret', () => {
  const world = open();
  const variableMonitoring = [
    {
      id: 1,
      transaction: false,
      value: 3,
      type: 'Delta' as const,
      severity: 5,
      eventNotificationType: 'CustomMonitor' as const,
    },
  ];
  const monitor = [
    { component: { name: 'SecurityCtrlr' }, variable: { name: 'BasicAuthPassword' }, variableMonitoring },
  ];
  const part = { requestId: 9, seqNo: 0, generatedAt: RECEIVED_AT, monitor };
  const { rows } = world.next(notifyMonitoringReport, part, { action: 'NotifyMonitoringReport' });
  expect(rows.deviceReports).toMatchObject([{ items: [{ monitors: [{ id: 1 }] }] }]);
});

it('132. counts a connector of a report that has no socket', () => {
  const world = open();
  const connector = { ...data('Available'), component: { name: 'Connector', evse: { id: 100, connectorId: 1 } } };
  expect(world.part(7, 0, [connector]).deviations).toEqual(['surplus_connector']);
});

it('151. keeps a report open whose parts have no numbers, for ten minutes after each', () => {
  const world = open();
  const part = (secondsAgo: number, tbc: boolean) =>
    world.next(
      notifyDisplayMessages,
      { requestId: 9, tbc, messageInfo: [] },
      { action: 'NotifyDisplayMessages', receivedAt: secondsBefore(secondsAgo) },
    );
  part(1_100, true);
  part(600, true);
  part(10, false);
  expect(world.reported.reports).toMatchObject([{ isComplete: true, since: [1, 12] }]);
});

it('150. takes back a value for the next boot, where another is accepted', () => {
  const world = open();
  world.set('90', 'RebootRequired');
  world.set('60', 'Accepted');
  expect(world.reported.changedValues).toMatchObject([{ value: '60' }]);
  world.set('30', 'Rejected');
  expect(world.reported.changedValues).toMatchObject([{ value: '60' }]);
});

it('150. updates the values of events, and moves them into the model when they are many', () => {
  const world = open();
  world.event(eventOf('V', '1'));
  expect(world.reported.changedValues).toBeUndefined();
  world.part(7, 0, [data('V', '0')]);
  const { rows } = world.event(eventOf('V', '1'));
  expect(rows.deviceModels).toEqual([]);
  expect(world.reported.changedValues).toMatchObject([{ name: 'C.V', value: '1' }]);
  world.event(...Array.from({ length: 25 }, (_, n) => eventOf(`V${String(n)}`, '2')));
  expect(world.reported.changedValues).toEqual([]);
  expect(world.variables).toHaveLength(26);
  expect(world.variables[0]?.attributes).toMatchObject([{ type: 'Actual', value: '1', mutability: 'ReadWrite' }]);
});

it('150. remembers the firmware whose whole model has come, or is refused', () => {
  const world = open('1.0');
  world.ask(7, 'FullInventory');
  world.part(7, 0, [data('A')], true);
  expect(world.reported.inventoryOf).toBeUndefined();
  world.part(7, 1, [data('B')]);
  expect([world.reported.inventoryOf, world.model.isReported]).toEqual(['1.0', true]);
  const refusing = open('2.0');
  refusing.ask(7, 'FullInventory', 'NotSupported');
  expect(refusing.reported.inventoryOf).toBe('2.0');
  const configured = open();
  configured.ask(7, 'ConfigurationInventory');
  configured.part(7, 0, [data('A')]);
  expect([configured.reported.inventoryOf, configured.model.isReported]).toEqual([undefined, true]);
});

it('151. a whole report of the model removes what it does not name, a part or one of the configuration nothing', () => {
  const world = open();
  world.part(1, 0, [data('Gone')]);
  world.ask(2, 'ConfigurationInventory');
  world.part(2, 0, [data('A')]);
  world.ask(3, 'FullInventory');
  // The parts come in another order, and another report between them.
  world.part(3, 1, [data('B')]);
  world.part(4, 0, [data('C')]);
  expect(world.variables.map(({ variable }) => variable)).toEqual(['Gone', 'A', 'B', 'C']);
  world.part(3, 0, [data('A')], true);
  expect(world.variables.map(({ variable }) => variable)).toEqual(['A', 'B', 'C']);
});

it('147. the configuration has what can be changed of a whole report, and all of one of the configuration', () => {
  const world = open();
  world.ask(3, 'FullInventory');
  const items = [data('Fixed', '1', { mutability: 'ReadOnly' }), data('Free')];
  world.part(3, 0, items);
  expect(world.reported.configuration?.map(({ configName }) => configName)).toEqual(['C.Free']);
  world.ask(4, 'ConfigurationInventory');
  world.part(4, 0, items);
  expect(world.reported.configuration).toMatchObject([
    { configName: 'C.Free' },
    { configName: 'C.Fixed', canBeChanged: false },
  ]);
});

it('151. a report that comes before the response to its request counts as it', () => {
  const world = open();
  const [early] = world.part(3, 0, [data('A')]).rows.deviceReports;
  const { rows } = world.ask(3, 'FullInventory');
  expect(rows.deviceReports).toMatchObject([{ kind: 'full', firstRowId: early?.rowId }]);
  expect([world.reported.inventoryOf, world.reported.reports]).toMatchObject([
    '1.0',
    [{ kind: 'full', isComplete: true }],
  ]);
});

it('150. a report of the service counts as what it is, also where an operator has requested another', () => {
  const world = open();
  world.ask(3, 'FullInventory');
  world.ask(4, 'FullInventory', 'Accepted', 'mine');
  expect(world.reported.reports).toMatchObject([{ requestId: 3, isOwn: true }, { requestId: 4 }]);
  world.part(3, 0, [data('Fixed', '1', { mutability: 'ReadOnly' })]);
  expect([world.reported.inventoryOf, world.reported.configuration]).toEqual(['1.0', []]);
});

it('151. stores the parts of a report, and which is the last', () => {
  const world = open();
  const asked = world.ask(3, 'FullInventory', 'Accepted', 'mine').rows.deviceReports;
  expect(asked).toMatchObject([{ requestId: 3, action: 'GetBaseReport', kind: 'full' }]);
  const [first] = world.part(3, 0, [data('A')], true).rows.deviceReports;
  expect(first).toMatchObject({ requestId: 3, action: 'NotifyReport', seqNo: 0, items: [{ name: 'C.A' }] });
  expect(first).not.toHaveProperty('isLast');
  expect(world.part(3, 1, [data('B')]).rows.deviceReports).toMatchObject([{ seqNo: 1, isLast: true }]);
  expect(world.ask(5, 'SummaryInventory', 'EmptyResultSet').rows.deviceReports).toMatchObject([{ isEmpty: true }]);
});

it.each([
  [true, [false, true]],
  [false, [true]],
])('151. reports on a customer come in parts, where they are requested: %s', (report, complete) => {
  const world = open();
  const request = { requestId: 9, report, clear: true, customerIdentifier: 'c' };
  world.next(customerInformationOutcome, answered2<'CustomerInformation'>(request, { status: 'Accepted' }));
  const states = [world.reported.reports?.[0]?.isComplete];
  if (report) {
    const part = { requestId: 9, seqNo: 0, generatedAt: RECEIVED_AT, data: 'stored' };
    const { rows } = world.next(notifyCustomerInformation, part, { action: 'NotifyCustomerInformation' });
    expect(rows.deviceReports).toMatchObject([{ items: ['stored'], isLast: true }]);
    states.push(world.reported.reports?.[0]?.isComplete);
  }
  expect(states).toEqual(complete);
});

it('133. a connector that a report names has a socket, whose state is not known yet', () => {
  const world = open();
  const connector = (id: number, connectorId: number) => ({
    ...data('Available'),
    component: { name: 'Connector', evse: { id, connectorId } },
  });
  world.part(7, 0, [connector(1, 1), connector(1, 2), connector(100, 1)]);
  expect(world.reported.sockets).toMatchObject({ 1: { state: 'Booting', isAssumed: true }, 102: { state: 'Booting' } });
  expect(Object.keys(world.reported.sockets ?? {})).toHaveLength(2);
});
