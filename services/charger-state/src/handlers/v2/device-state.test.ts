import type { Handler } from '../../pipeline/contract';
import type { CallPayload } from '../../pipeline/contract';
import { handle, RECEIVED_AT, secondsBefore, type Situation } from '../../testing/handler-situation';
import { clearChargingProfileOutcome, setChargingProfileOutcome } from './charging-profiles';
import { getLocalListVersionOutcome, sendLocalListOutcome } from './local-list';
import { firmwareStatusNotification, logStatusNotification } from './progress';
import { cancelReservationOutcome, reservationStatusUpdate, reserveNowOutcome } from './reservations';
import { getLogOutcome, updateFirmwareOutcome } from './transfers';

const AT = '2026-06-01T13:00:00.000Z';
const TOKEN = { idToken: 'TAG', type: 'Central' };
const SCHEDULE = { chargingRateUnit: 'A', chargingSchedulePeriod: [{ startPeriod: 0, limit: 8 }] };
const PROFILE = {
  id: 4,
  stackLevel: 1,
  chargingProfilePurpose: 'ChargingStationMaxProfile',
  chargingProfileKind: 'Absolute',
  chargingSchedule: [{ id: 1, ...SCHEDULE }],
};

/** The result of a CALL that the charger answered. */
function ended<Payload>(
  handler: Handler<Payload>,
  request: object,
  response: CallPayload = { status: 'Accepted' },
  situation: Situation = {},
) {
  const status = typeof response['status'] === 'string' ? response['status'] : '';
  const payload = { result: { outcome: 'answered', payload: response }, request, response, status };
  return handle(handler, payload as Payload, { report: { commandId: 'command-1' }, ...situation });
}

const RESERVE = {
  id: 9,
  expiryDateTime: AT,
  idToken: TOKEN,
  evseId: 2,
  groupIdToken: { idToken: 'P', type: 'Central' },
};
const reserved = ended(reserveNowOutcome, RESERVE).deviceState;

it('158. stores a reservation that the charger accepted', () => {
  expect(reserved.reservations).toMatchObject([
    {
      reservationId: 9,
      idTag: 'TAG',
      parentIdTag: 'P',
      socketId: 2,
      expiryDate: AT,
      end: null,
      commandId: 'command-1',
    },
  ]);
  expect(ended(reserveNowOutcome, RESERVE, { status: 'Occupied' }).deviceState.reservations).toEqual([]);
});

it.each<[string, () => ReturnType<typeof ended>, string | null]>([
  [
    'cancelled',
    () => ended(cancelReservationOutcome, { reservationId: 9 }, undefined, { deviceState: reserved, position: [1, 6] }),
    'cancelled',
  ],
  [
    'removed by the charger',
    () =>
      handle(
        reservationStatusUpdate,
        { reservationId: 9, reservationUpdateStatus: 'Removed' },
        { deviceState: reserved, position: [1, 6] },
      ),
    'cancelled',
  ],
  [
    'expired at the charger, before its time by our clock',
    () =>
      handle(
        reservationStatusUpdate,
        { reservationId: 9, reservationUpdateStatus: 'Expired' },
        { deviceState: reserved, position: [1, 6] },
      ),
    'expired',
  ],
])('158. ends a reservation that was %s', (_title, run, end) => {
  expect(run().deviceState.reservations).toMatchObject([{ reservationId: 9, end }]);
});

it('158. stores the local list that the charger accepted, and its version', () => {
  const entries = [
    {
      idToken: { idToken: 'A', type: 'ISO14443' },
      idTokenInfo: { status: 'Accepted', cacheExpiryDateTime: AT, groupIdToken: { idToken: 'P', type: 'Central' } },
    },
    { idToken: { idToken: 'B', type: 'ISO14443' } },
  ];
  const update = { versionNumber: 3, updateType: 'Full', localAuthorizationList: entries };
  const { deviceState } = ended(sendLocalListOutcome, update);
  expect(deviceState.localList).toMatchObject({ version: 3 });
  expect(JSON.stringify(deviceState.localList)).toContain('"parentIdTag":"P"');
  const reported = ended(getLocalListVersionOutcome, {}, { versionNumber: 7 }).deviceState;
  expect(JSON.stringify(reported.localList)).toContain('7');
});

it('158. stores a charging profile in the form of the API', () => {
  const { deviceState } = ended(setChargingProfileOutcome, { evseId: 0, chargingProfile: PROFILE });
  const profile = {
    chargingProfileId: 4,
    stackLevel: 1,
    chargingProfilePurpose: 'ChargePointMaxProfile',
    chargingProfileKind: 'Absolute',
    chargingSchedule: SCHEDULE,
  };
  expect(deviceState.profiles.installed).toMatchObject([
    { profileId: 4, purpose: 'ChargePointMaxProfile', socketId: 0, transactionId: null, profile },
  ]);
  expect(deviceState.profiles.installed[0]?.profile).toEqual(profile);
});

it('158. stores several schedules of a charging profile as a list', () => {
  const chargingProfile = { ...PROFILE, chargingSchedule: [1, 2].map((id) => ({ id, ...SCHEDULE })) };
  const { deviceState } = ended(setChargingProfileOutcome, { evseId: 0, chargingProfile });
  expect(deviceState.profiles.installed[0]?.profile).toMatchObject({ chargingSchedule: [SCHEDULE, SCHEDULE] });
});

it('158. stores the profile of a transaction with our id of it', () => {
  const ongoing = {
    socketId: 1,
    transactionId: 77,
    sessionId: 's',
    idTag: 'TAG',
    startTime: secondsBefore(60),
    position: [1, 1] as const,
    device: { id: 'T-1', chargingState: null, wasEnergized: false },
  };
  const chargingProfile = { ...PROFILE, chargingProfilePurpose: 'TxProfile', transactionId: 'T-1' };
  const situation = { reported: { ongoing: { '1': ongoing } } };
  const { deviceState } = ended(setChargingProfileOutcome, { evseId: 1, chargingProfile }, undefined, situation);
  expect(deviceState.profiles.installed).toMatchObject([{ transactionId: 77, profile: { transactionId: 77 } }]);
});

it('158. clears charging profiles by the criteria that the charger accepted', () => {
  const { deviceState } = ended(setChargingProfileOutcome, { evseId: 0, chargingProfile: PROFILE });
  const clear = (criteria: object) =>
    ended(clearChargingProfileOutcome, { chargingProfileCriteria: criteria }, undefined, {
      deviceState,
      position: [1, 6],
    });
  expect(clear({ evseId: 1 }).deviceState.profiles.installed).toHaveLength(1);
  expect(clear({ chargingProfilePurpose: 'ChargingStationMaxProfile' }).deviceState.profiles.installed).toEqual([]);
});

it('stores the request of a firmware update and of a log as events, and their progress in the record', () => {
  const firmware = { location: 'https://files/f', retrieveDateTime: AT, signature: 'S', signingCertificate: 'C' };
  const update = ended(updateFirmwareOutcome, { requestId: 5, firmware, retries: 2 });
  expect(update.rows.events).toMatchObject([
    { payload: { requestId: 5, isSigned: true, retries: 2, status: 'Accepted' } },
  ]);
  const log = ended(
    getLogOutcome,
    { requestId: 6, logType: 'DiagnosticsLog', log: { remoteLocation: 'https://files/l' } },
    { status: 'Accepted', filename: 'a.log' },
  );
  expect(log.rows.events).toMatchObject([{ payload: { requestId: 6, logType: 'DiagnosticsLog', fileName: 'a.log' } }]);
  const progressed = handle(firmwareStatusNotification, { status: 'Downloaded', requestId: 5 });
  expect(progressed.charger.reported.firmware).toMatchObject({ status: 'Downloaded', requestId: 5, at: RECEIVED_AT });
  expect(handle(logStatusNotification, { status: 'Uploaded', requestId: 6 }).emitted).toMatchObject([
    { type: 'charger.diagnostics_status', data: { status: 'Uploaded', requestId: 6 } },
  ]);
});
