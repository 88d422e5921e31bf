import { createChargerState, type ChargerState, type Socket } from './charger-state';
import type { Profile } from './charging-profiles';
import { changeConfiguration } from './configuration';
import { meterUntil, powerAt, readingOf, statusOf } from './metering';

const T0 = new Date('2026-01-01T00:00:00Z');
const at = (seconds: number): Date => new Date(T0.getTime() + seconds * 1000);

function charging(): { state: ChargerState; socket: Socket } {
  const state = createChargerState(2, T0);
  const socket = state.sockets[0]!;
  socket.phase = 'charging';
  socket.session = { idTag: 'T', startedAt: T0, meterStartWh: 0, transactionId: 1 };
  return { state, socket };
}

function limit(state: ChargerState, ...periods: [startPeriod: number, limit: number][]): void {
  const profile: Profile = {
    chargingProfileId: 1,
    stackLevel: 0,
    chargingProfilePurpose: 'TxProfile',
    chargingProfileKind: 'Relative',
    chargingSchedule: {
      chargingRateUnit: 'W',
      chargingSchedulePeriod: periods.map(([startPeriod, watts]) => ({ startPeriod, limit: watts })),
    },
  };
  state.profiles = [{ socket: 1, profile, installedAt: T0 }];
}

it("draws a vehicle's own maximum, which the configuration names", () => {
  const { state, socket } = charging();
  expect(powerAt(state, socket, T0)).toBe(11_000);
  changeConfiguration(state.configuration, 'SimulatedVehiclePowerW', '7000');
  expect(powerAt(state, socket, T0)).toBe(7000);
  expect(powerAt(state, state.sockets[1]!, T0)).toBe(0);
});

it('counts energy by the limits in between, not only by those at the readings', () => {
  const { state, socket } = charging();
  limit(state, [0, 6000], [1800, 2000]);
  expect(meterUntil(state, socket, at(3600))).toBeCloseTo(4000);
  expect(meterUntil(state, socket, at(3600))).toBe(0);
  expect(meterUntil(state, socket, at(7200))).toBeCloseTo(2000);
  expect(socket.meterWh).toBeCloseTo(6000);
});

it('counts no energy without a session', () => {
  const { state } = charging();
  expect(meterUntil(state, state.sockets[1]!, at(3600))).toBe(0);
});

it('makes a reading of the configured measurands', () => {
  const { state, socket } = charging();
  limit(state, [0, 6900]);
  meterUntil(state, socket, at(360));
  expect(readingOf(state, socket, at(360), 'Trigger')).toEqual({
    timestamp: '2026-01-01T00:06:00.000Z',
    sampledValue: [
      { measurand: 'Energy.Active.Import.Register', value: '690', unit: 'Wh', context: 'Trigger' },
      { measurand: 'Power.Active.Import', value: '6900', unit: 'W', context: 'Trigger' },
      { measurand: 'Current.Import', value: '10.0', unit: 'A', context: 'Trigger' },
      { measurand: 'Voltage', value: '230', unit: 'V', context: 'Trigger' },
    ],
  });
  changeConfiguration(state.configuration, 'MeterValuesSampledData', 'Voltage');
  expect(readingOf(state, socket, T0, undefined).sampledValue).toEqual([
    { measurand: 'Voltage', value: '230', unit: 'V' },
  ]);
});

it.each<[string, (state: ChargerState, socket: Socket) => unknown, string]>([
  ['a session', () => undefined, 'Charging'],
  ['a limit of 0', (state) => limit(state, [0, 0]), 'SuspendedEVSE'],
  [
    'a vehicle that draws nothing',
    (state) => changeConfiguration(state.configuration, 'SimulatedVehiclePowerW', '0'),
    'SuspendedEV',
  ],
  ['a session that begins', (_state, socket) => (socket.phase = 'preparing'), 'Preparing'],
  ['a session that has ended', (_state, socket) => (socket.phase = 'finishing'), 'Finishing'],
  ['nothing', (_state, socket) => (socket.phase = 'free'), 'Available'],
  ['a script', (_state, socket) => (socket.override = { status: 'Faulted', errorCode: 'GroundFailure' }), 'Faulted'],
  [
    'ChangeAvailability of the charger',
    (state, socket) => {
      socket.phase = 'free';
      state.isOperative = false;
    },
    'Unavailable',
  ],
])('the status of a socket with %s is reported', (_title, change, status) => {
  const { state, socket } = charging();
  change(state, socket);
  expect(statusOf(state, socket, T0)).toBe(status);
});
