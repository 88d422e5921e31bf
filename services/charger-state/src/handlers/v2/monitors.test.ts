// Monitors: what outcomes and reports store of them.
import type { Charger } from '@busbar/domain/chargers';
import type { DeviceState } from '@busbar/domain/device-state';
import { answered2, handle, RECEIVED_AT, type Situation } from '../../testing/handler-situation';
import {
  clearVariableMonitoringOutcome,
  notifyMonitoringReport,
  setMonitoringBaseOutcome,
  setVariableMonitoringOutcome,
} from './monitors';
import { getMonitoringReportOutcome } from './reports';
import type { RequestOf, ResponseOf } from './route';

type Data = RequestOf<'SetVariableMonitoring'>['setMonitoringData'][number];
type Result = ResponseOf<'SetVariableMonitoring'>['setMonitoringResult'][number];
type Reported = (RequestOf<'NotifyMonitoringReport'>['monitor'] & object)[number];

const POWER = { component: { name: 'EVSE', evse: { id: 1 } }, variable: { name: 'Power' } };
const DATA: Data = { ...POWER, type: 'Delta', value: 10, severity: 5 };

function result(id: number | undefined, status: Result['status'] = 'Accepted', more: Partial<Result> = {}): Result {
  return { ...POWER, type: 'Delta', severity: 5, status, ...(id !== undefined && { id }), ...more };
}

function reported(id: number, origin: 'CustomMonitor' | 'HardWiredMonitor' = 'CustomMonitor'): Reported {
  const one = { id, transaction: false, value: 3, type: 'Delta' as const, severity: 5, eventNotificationType: origin };
  return { ...POWER, variableMonitoring: [one] };
}

/** A charger and its device state, over several messages. */
function open() {
  let [state, deviceState, seq]: [Partial<Charger['reported']>, Partial<DeviceState>, number] = [{}, {}, 10];
  function next<P, A>(handler: Parameters<typeof handle<P, A>>[0], payload: P, report: Situation['report'] = {}) {
    seq += 1;
    const situation = { reported: state, deviceState, position: [1, seq] as const };
    const handled = handle(handler, payload, { ...situation, report: { id: `r-${String(seq)}`, ...report } });
    state = handled.charger.reported;
    const [row] = handled.rows.deviceStates;
    if (row !== undefined) deviceState = row.to;
  }
  return {
    set: (setMonitoringData: readonly Data[], setMonitoringResult: readonly Result[]) =>
      next(
        setVariableMonitoringOutcome,
        answered2<'SetVariableMonitoring'>({ setMonitoringData }, { setMonitoringResult }),
        { commandId: 'c' },
      ),
    clear: (id: number, status: 'Accepted' | 'Rejected' | 'NotFound') =>
      next(
        clearVariableMonitoringOutcome,
        answered2<'ClearVariableMonitoring'>({ id: [id] }, { clearMonitoringResult: [{ id, status }] }),
      ),
    base: (monitoringBase: RequestOf<'SetMonitoringBase'>['monitoringBase'], status: 'Accepted' | 'Rejected') =>
      next(setMonitoringBaseOutcome, answered2<'SetMonitoringBase'>({ monitoringBase }, { status })),
    request: (
      criteria: Partial<RequestOf<'GetMonitoringReport'>> = {},
      status: ResponseOf<'GetMonitoringReport'>['status'] = 'Accepted',
    ) =>
      next(getMonitoringReportOutcome, answered2<'GetMonitoringReport'>({ requestId: 7, ...criteria }, { status }), {
        action: 'GetMonitoringReport',
      }),
    part: (seqNo: number, monitor: readonly Reported[], tbc = false) =>
      next(
        notifyMonitoringReport,
        { requestId: 7, seqNo, tbc, generatedAt: RECEIVED_AT, monitor },
        { action: 'NotifyMonitoringReport' },
      ),
    get monitors() {
      return deviceState.monitors?.items ?? [];
    },
    get numbers() {
      return deviceState.monitors?.items.map(({ id }) => id) ?? [];
    },
    get listedAt() {
      return deviceState.monitors?.listedAt;
    },
  };
}

it('160. stores a monitor that the charger accepted, by the number that it gave', () => {
  const world = open();
  world.set([{ ...DATA, transaction: true }], [result(3)]);
  expect(world.monitors).toEqual([
    {
      id: 3,
      name: 'EVSE@1.Power',
      component: 'EVSE',
      evseId: 1,
      variable: 'Power',
      type: 'Delta',
      value: 10,
      severity: 5,
      transaction: true,
      origin: 'CustomMonitor',
      setAt: RECEIVED_AT,
      commandId: 'c',
      position: [1, 11],
    },
  ]);
});

it.each<[string, readonly Data[], readonly Result[], readonly (readonly [number, number])[]]>([
  [
    'in another order',
    [DATA, { ...DATA, severity: 1 }],
    [result(1, 'Accepted', { severity: 1 }), result(2)],
    [
      [1, 10],
      [2, 10],
    ],
  ],
  [
    'that are alike',
    [DATA, { ...DATA, value: 20 }],
    [result(1), result(2)],
    [
      [1, 10],
      [2, 20],
    ],
  ],
  ['of which one is refused', [DATA, { ...DATA, value: 20 }], [result(undefined, 'Rejected'), result(2)], [[2, 20]]],
  ['in another case', [DATA], [result(1, 'Accepted', { variable: { name: 'POWER' } })], [[1, 10]]],
  ['of others', [DATA], [result(1, 'Accepted', { variable: { name: 'Other' } })], []],
])('160. stores monitors by results %s', (_title, data, results, stored) => {
  const world = open();
  world.set(data, results);
  expect(world.monitors.map(({ id, value }) => [id, value])).toEqual(stored);
});

it.each<['Accepted' | 'Rejected' | 'NotFound', readonly number[]]>([
  ['Accepted', [2]],
  ['NotFound', [2]],
  ['Rejected', [1, 2]],
])('160. clears a monitor on the response %s', (status, left) => {
  const world = open();
  world.set([DATA, DATA], [result(1), result(2)]);
  world.clear(1, status);
  expect(world.numbers).toEqual(left);
});

it.each<[RequestOf<'SetMonitoringBase'>['monitoringBase'], 'Accepted' | 'Rejected', readonly number[]]>([
  ['All', 'Accepted', [9, 1]],
  ['FactoryDefault', 'Accepted', [9]],
  ['HardWiredOnly', 'Accepted', [9]],
  ['HardWiredOnly', 'Rejected', [9, 1]],
])('160. has these monitors after the base %s is %s', (base, status, left) => {
  const world = open();
  world.part(0, [reported(9, 'HardWiredMonitor')]);
  world.set([DATA], [result(1)]);
  world.base(base, status);
  expect(world.numbers).toEqual(left);
});

it('151. replaces the monitors by a complete report, and keeps one that was set meanwhile', () => {
  const world = open();
  world.set([DATA], [result(1)]);
  world.request();
  world.part(1, [reported(4)]);
  world.set([DATA], [result(3)]);
  world.part(1, [reported(4)]);
  expect(world.numbers).toEqual([1, 4, 3]);
  world.part(0, [reported(2)], true);
  expect(world.numbers).toEqual([4, 3, 2]);
  expect(world.listedAt).toBe(RECEIVED_AT);
});

it('151. restores no monitor that was cleared after the part with it, where the part is repeated', () => {
  const world = open();
  world.request();
  world.part(1, [reported(4)]);
  world.clear(4, 'Accepted');
  world.part(1, [reported(4)]);
  expect(world.numbers).toEqual([]);
});

it('151. removes all monitors where the charger has none to report, but not by a report by criteria', () => {
  const world = open();
  world.set([DATA], [result(1)]);
  const criteria = { monitoringCriteria: ['DeltaMonitoring' as const] };
  world.request(criteria, 'EmptyResultSet');
  world.request(criteria);
  world.part(0, [reported(2)]);
  expect([world.numbers, world.listedAt]).toEqual([[1, 2], null]);
  world.request({}, 'EmptyResultSet');
  expect(world.numbers).toEqual([]);
});
