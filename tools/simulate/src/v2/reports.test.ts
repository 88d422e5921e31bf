// What a simulated charger of OCPP 2.x holds and reports: display messages, monitors, charging profiles. Every message is validated.
import type { V2Action } from '@busbar/ocpp';
import { openCharger, quiet, type OpenedCharger } from '../testing/open-charger';
import type { Payload } from '../connection';

describe.each(['ocpp2.0.1', 'ocpp2.1'] as const)('a simulated charger of %s', (version) => {
  let opened: OpenedCharger;
  beforeEach(async () => {
    opened = await openCharger(version);
  });

  const command = (action: V2Action, payload: Payload) => opened.command2(action, payload);
  /** What it sends after an accepted request. */
  const reported = async (action: V2Action, payload: Payload): Promise<unknown[]> => {
    opened.take();
    expect(await command(action, { requestId: 5, ...payload })).toEqual({ status: 'Accepted' });
    await quiet();
    return opened.take().map(([, part]) => part);
  };

  const message = (id: number, more: object = {}) => {
    return { id, priority: 'NormalCycle', message: { format: 'UTF8', content: 'Hello' }, ...more };
  };
  const show = (id: number, more: object = {}) => command('SetDisplayMessage', { message: message(id, more) });

  it('has display messages until they are cleared, and reports those that are asked for', async () => {
    expect(await command('GetDisplayMessages', { requestId: 5 })).toEqual({ status: 'Unknown' });
    await show(1);
    await show(2, { priority: 'InFront', state: 'Idle' });
    await show(1, { priority: 'AlwaysFront' });
    for (const criteria of [{ id: [2] }, { priority: 'InFront' }, { state: 'Idle' }]) {
      expect(await reported('GetDisplayMessages', criteria)).toMatchObject([
        { requestId: 5, messageInfo: [{ id: 2 }] },
      ]);
    }
    expect(await reported('GetDisplayMessages', {})).toMatchObject([
      { tbc: false, messageInfo: [{ id: 2 }, { id: 1, priority: 'AlwaysFront' }] },
    ]);
    expect(await command('ClearDisplayMessage', { id: 2 })).toEqual({ status: 'Accepted' });
    expect(await command('ClearDisplayMessage', { id: 2 })).toEqual({ status: 'Unknown' });
  });

  it('refuses a display message beyond 20, in a format that it has not, and of no transaction', async () => {
    for (let id = 1; id <= 20; id += 1) expect(await show(id)).toEqual({ status: 'Accepted' });
    expect(await show(21)).toEqual({ status: 'Rejected' });
    expect(await show(20)).toEqual({ status: 'Accepted' });
    const html = { message: { format: 'HTML', content: 'x' } };
    expect(await show(20, html)).toEqual({ status: 'NotSupportedMessageFormat' });
    expect(await show(20, { transactionId: 'T' })).toEqual({ status: 'UnknownTransaction' });
    const parts = (await reported('GetDisplayMessages', {})) as { messageInfo: object[] }[];
    expect(parts.map(({ messageInfo }) => messageInfo.length)).toEqual([10, 10]);
  });

  const INTERVAL = { component: { name: 'OCPPCommCtrlr' }, variable: { name: 'HeartbeatInterval' } };
  const monitor = (more: object = {}) => ({ ...INTERVAL, type: 'Delta', value: 1, severity: 5, ...more });
  const setMonitors = async (...setMonitoringData: object[]) => {
    const reply = await command('SetVariableMonitoring', { setMonitoringData });
    return (reply as unknown as { setMonitoringResult: object[] }).setMonitoringResult;
  };

  it('sets monitors by their own numbers, and refuses others', async () => {
    expect(
      await setMonitors(
        monitor(),
        monitor({ severity: 6 }),
        monitor(),
        monitor({ id: 1, value: 9 }),
        monitor({ id: 7, severity: 2 }),
        monitor({ component: { name: 'Other' } }),
        monitor({ variable: { name: 'Other' } }),
      ),
    ).toMatchObject([
      { id: 1, status: 'Accepted' },
      { id: 2, status: 'Accepted' },
      { status: 'Duplicate' },
      { id: 1, status: 'Accepted' },
      { status: 'Rejected' },
      { status: 'UnknownComponent' },
      { status: 'UnknownVariable' },
    ]);
    expect(await reported('GetMonitoringReport', {})).toMatchObject([
      {
        seqNo: 0,
        tbc: false,
        monitor: [{ variableMonitoring: [{ id: 2 }] }, { variableMonitoring: [{ id: 1, value: 9 }] }],
      },
    ]);
  });

  it('reports the monitors that are asked for, and clears them', async () => {
    await setMonitors(monitor(), monitor({ type: 'UpperThreshold' }), monitor({ type: 'Periodic' }));
    const numbersFor = async (criteria: Payload) => {
      const parts = (await reported('GetMonitoringReport', criteria)) as {
        monitor: { variableMonitoring: { id: number }[] }[];
      }[];
      return parts.flatMap((part) => part.monitor.flatMap((each) => each.variableMonitoring.map(({ id }) => id)));
    };
    expect(await numbersFor({ monitoringCriteria: ['ThresholdMonitoring', 'PeriodicMonitoring'] })).toEqual([2, 3]);
    expect(await numbersFor({ componentVariable: [INTERVAL] })).toEqual([1, 2, 3]);
    const other = { componentVariable: [{ component: { name: 'TxCtrlr' } }] };
    expect(await command('GetMonitoringReport', { requestId: 5, ...other })).toEqual({ status: 'EmptyResultSet' });
    expect(await command('ClearVariableMonitoring', { id: [1, 9] })).toEqual({
      clearMonitoringResult: [
        { id: 1, status: 'Accepted' },
        { id: 9, status: 'NotFound' },
      ],
    });
    expect(await command('SetMonitoringLevel', { severity: 4 })).toEqual({ status: 'Accepted' });
    expect(await command('SetMonitoringBase', { monitoringBase: 'All' })).toEqual({ status: 'Accepted' });
    expect(await numbersFor({})).toEqual([2, 3]);
    expect(await command('SetMonitoringBase', { monitoringBase: 'FactoryDefault' })).toEqual({ status: 'Accepted' });
    expect(await command('GetMonitoringReport', { requestId: 5 })).toEqual({ status: 'EmptyResultSet' });
  });

  it('reports its charging profiles, each in a part', async () => {
    const get = (evseId: number | undefined, chargingProfile: object) => ({
      ...(evseId !== undefined && { evseId }),
      chargingProfile,
    });
    expect(await command('GetChargingProfiles', { requestId: 5, ...get(undefined, {}) })).toEqual({
      status: 'NoProfiles',
    });
    const chargingSchedule = [
      { id: 1, chargingRateUnit: 'W', chargingSchedulePeriod: [{ startPeriod: 0, limit: 4_000 }] },
    ];
    const profile = {
      id: 1,
      stackLevel: 0,
      chargingProfilePurpose: 'TxDefaultProfile',
      chargingProfileKind: 'Relative',
      chargingSchedule,
    };
    const whole = {
      ...profile,
      id: 2,
      chargingProfilePurpose: 'ChargingStationMaxProfile',
      chargingProfileKind: 'Absolute',
    };
    for (const [evseId, chargingProfile] of [
      [1, profile],
      [0, whole],
    ] as const) {
      expect(await command('SetChargingProfile', { evseId, chargingProfile })).toEqual({ status: 'Accepted' });
    }
    expect(await reported('GetChargingProfiles', get(undefined, {}))).toEqual([
      { requestId: 5, chargingLimitSource: 'CSO', evseId: 1, tbc: true, chargingProfile: [profile] },
      { requestId: 5, chargingLimitSource: 'CSO', evseId: 0, tbc: false, chargingProfile: [whole] },
    ]);
    for (const criteria of [
      get(1, {}),
      get(undefined, { chargingProfileId: [1] }),
      get(undefined, { chargingProfilePurpose: 'TxDefaultProfile', stackLevel: 0, chargingLimitSource: ['CSO'] }),
    ]) {
      expect(await reported('GetChargingProfiles', criteria)).toMatchObject([{ evseId: 1 }]);
    }
    for (const criteria of [
      { stackLevel: 1 },
      { chargingLimitSource: ['EMS'] },
      { chargingProfilePurpose: 'TxProfile' },
    ]) {
      const reply = await command('GetChargingProfiles', { requestId: 5, ...get(undefined, criteria) });
      expect(reply).toEqual({ status: 'NoProfiles' });
    }
  });
});
