import { encodeOperation } from '../operations/encode';
import type { OperationName } from '../operations/operation';

const encode = (version: string, name: OperationName, input: object) => encodeOperation(name, input as never)(version);

const PROFILE = {
  chargingProfileId: 1,
  stackLevel: 0,
  chargingProfilePurpose: 'TxProfile',
  chargingProfileKind: 'Relative',
  chargingSchedule: { chargingRateUnit: 'A', chargingSchedulePeriod: [{ startPeriod: 0, limit: 16 }] },
};

describe('an operation of OCPP 2.1 alone', () => {
  const version = 'ocpp2.1';

  it.each<[OperationName, object, string, object]>([
    ['listEventStreams', {}, 'GetPeriodicEventStream', {}],
    ['adjustEventStream', { id: 7, interval: 10 }, 'AdjustPeriodicEventStream', { id: 7, params: { interval: 10 } }],
    ['adjustEventStream', { id: 0, values: 2 }, 'AdjustPeriodicEventStream', { id: 0, params: { values: 2 } }],
    [
      'updateDynamicSchedule',
      { chargingProfileId: 1, limit: 16.5, setpoint_L2: -1 },
      'UpdateDynamicSchedule',
      { chargingProfileId: 1, scheduleUpdate: { limit: 16.5, setpoint_L2: -1 } },
    ],
  ])('129. encodes %s %j as %s %j', (name, input, action, payload) => {
    expect(encode(version, name, input)).toMatchObject({ action, payload });
    expect(encode('ocpp2.0.1', name, input)).toBeUndefined();
    expect(encode('ocpp1.6', name, input)).toBeUndefined();
  });

  it('129. refuses what its schema forbids at the field of the input', () => {
    const refused = (name: OperationName, input: object) => () => encode(version, name, input);
    expect(refused('updateDynamicSchedule', { chargingProfileId: 1, dischargeLimit: 1 })).toThrow('/dischargeLimit ');
    expect(refused('adjustEventStream', { id: 7, interval: -1 })).toThrow('/interval ');
  });

  it.each<[OperationName, object]>([
    ['setChargingProfile', { socketId: 1 }],
    ['startCharging', { socketId: 1, rfidTag: 'TAG' }],
  ])('129. encodes %s with a dynamic charging profile, which no other version carries', (name, input) => {
    const dynamic = { dynUpdateInterval: 30, dynUpdateTime: '2026-01-31T12:00:00.000Z' };
    const chargingProfile = { ...PROFILE, ...dynamic, chargingProfileKind: 'Dynamic' };
    const payload = { evseId: 1, chargingProfile: { id: 1, chargingProfileKind: 'Dynamic', ...dynamic } };
    expect(encode(version, name, { ...input, chargingProfile })).toMatchObject({ payload });
    const kinds = '/chargingProfile/chargingProfileKind must be one of Absolute, Recurring, Relative';
    for (const other of ['ocpp1.6', 'ocpp2.0.1']) {
      for (const [fields, message] of [
        [{ chargingProfileKind: 'Dynamic' }, kinds],
        [{ dynUpdateInterval: 0 }, '/chargingProfile/dynUpdateInterval is not a field of this message'],
        [{ dynUpdateTime: dynamic.dynUpdateTime }, '/chargingProfile/dynUpdateTime is not a field of this message'],
      ] as const) {
        const refused = { ...input, chargingProfile: { ...PROFILE, ...fields } };
        expect(() => encode(other, name, refused)).toThrow(message);
      }
    }
  });

  it.each<[OperationName, string, (purpose: object) => object]>([
    ['setChargingProfile', '/chargingProfile', (of) => ({ socketId: 1, chargingProfile: { ...PROFILE, ...of } })],
    ['clearChargingProfile', '', (of) => of],
  ])('129. encodes %s for priority charging, which no other version carries', (name, path, inputOf) => {
    const input = inputOf({ chargingProfilePurpose: 'PriorityCharging' });
    expect(JSON.stringify(encode(version, name, input))).toContain('"chargingProfilePurpose":"PriorityCharging"');
    for (const other of ['ocpp1.6', 'ocpp2.0.1']) {
      expect(() => encode(other, name, input)).toThrow(`${path}/chargingProfilePurpose must be one of `);
    }
  });

  it('129. reads the streams of a charger', () => {
    const read = encode(version, 'listEventStreams', {})?.read;
    const constantStreamData = [{ id: 7, variableMonitoringId: 3, params: { values: 2 } }];
    expect(read?.({ constantStreamData })).toEqual({
      status: 'Accepted',
      streams: [{ id: 7, monitorId: 3, values: 2 }],
    });
    expect(read?.({})).toEqual({ status: 'Accepted', streams: [] });
  });

  it('129. encodes priority charging by the id of the charger, and supports none of a session of OCPP 1.6', () => {
    const use = encodeOperation('usePriorityCharging', { transactionId: 7, activate: true });
    const payload = { transactionId: 'T-1', activate: true };
    expect(use(version, { deviceTransactionId: 'T-1' })).toMatchObject({ action: 'UsePriorityCharging', payload });
    expect(use(version)).toBeUndefined();
    expect(use('ocpp2.0.1', { deviceTransactionId: 'T-1' })).toBeUndefined();
  });
});
