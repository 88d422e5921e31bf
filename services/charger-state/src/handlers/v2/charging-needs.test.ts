import type { InstalledProfile } from '@busbar/domain/device-state';
import { handle, RECEIVED_AT, sessionWith, type Situation } from '../../testing/handler-situation';
import { notifyEVChargingNeeds, notifyEVChargingSchedule } from './charging-needs';

const NEEDS = { evseId: 1, maxScheduleTuples: 24, chargingNeeds: { requestedEnergyTransfer: 'DC' as const } };
const DEVICE = {
  id: 'T-1',
  key: 'key',
  evseId: 1,
  connectorId: 1,
  idTokenType: null,
  chargingState: null,
  timeSpentChargingS: null,
  startKnown: true,
  missingEvents: [],
  facts: {},
  revision: 3,
};
const session = sessionWith({ device: DEVICE });
const { sessionId, transactionId, socketId, idTag, startTime } = session;
const ongoing = { sessionId, transactionId, socketId, idTag, startTime, position: [1, 2] as const, commandId: 'start' };
const CHARGING: Situation = { reported: { ongoing: { '1': ongoing } }, sessions: [session] };

const profile = (parts: Partial<InstalledProfile>): InstalledProfile => ({
  profileId: 1,
  socketId: 1,
  purpose: 'TxProfile',
  stackLevel: 0,
  transactionId: null,
  forStart: false,
  commandId: null,
  setAt: RECEIVED_AT,
  position: [1, 1],
  profile: {},
  ...parts,
});

function answerWith(parts: Partial<InstalledProfile>, ocppVersion = 'ocpp2.1') {
  const deviceState = { profiles: { installed: [profile(parts)], clearings: [] } };
  return handle(notifyEVChargingNeeds, NEEDS, { ...CHARGING, deviceState, report: { ocppVersion } }).answer?.status;
}

describe('NotifyEVChargingNeeds', () => {
  it.each<[string, string, Partial<InstalledProfile>]>([
    ['Accepted', 'a profile for its EVSE', {}],
    ['Accepted', 'a profile for its transaction', { transactionId }],
    ['Accepted', 'a profile of its remote start', { forStart: true, commandId: 'start', socketId: null }],
    ['Accepted', 'a profile for the whole charger', { purpose: 'ChargePointMaxProfile', socketId: 0 }],
    ['NoChargingProfile', 'a profile for another EVSE', { socketId: 2 }],
    ['NoChargingProfile', 'a profile for another transaction', { transactionId: 8 }],
    ['NoChargingProfile', 'a profile of another remote start', { forStart: true, commandId: 'other' }],
    ['NoChargingProfile', 'a profile that another has set', { source: 'EMS' }],
    ['NoChargingProfile', 'a default profile', { purpose: 'TxDefaultProfile' }],
  ])('is answered %s with %s', (status, _what, parts) => {
    expect(answerWith(parts)).toBe(status);
  });

  it('is answered Rejected by OCPP 2.0.1, which has no word for an absent profile', () => {
    expect(answerWith({ socketId: 2 }, 'ocpp2.0.1')).toBe('Rejected');
  });

  it('is answered Processing where the client sets profiles then', () => {
    const situation: Situation = { ...CHARGING, registered: { chargingNeeds: 'processing' } };
    expect(handle(notifyEVChargingNeeds, NEEDS, situation).answer).toEqual({ status: 'Processing' });
  });

  it('is an event, and with the session at its EVSE', () => {
    const { rows } = handle(notifyEVChargingNeeds, NEEDS, CHARGING);
    expect(rows.events).toMatchObject([{ payload: NEEDS }]);
    expect(rows.transactions).toMatchObject([
      { session: { sessionId, device: { id: 'T-1', chargingNeeds: NEEDS, revision: 4 } }, from: { revision: 3 } },
    ]);
  });

  it.each<[string, Situation, object]>([
    ['without a session there', { ...CHARGING, reported: {} }, {}],
    ['at another EVSE', CHARGING, { evseId: 2 }],
    [
      'that the session has already',
      { ...CHARGING, sessions: [sessionWith({ device: { ...DEVICE, chargingNeeds: NEEDS } })] },
      {},
    ],
    ['of more than 8,000 characters', CHARGING, { customData: { vendorId: 'v'.repeat(8_000) } }],
  ])('is an event alone %s', (_title, situation, parts) => {
    const { rows } = handle(notifyEVChargingNeeds, { ...NEEDS, ...parts }, situation);
    expect([rows.events.length, rows.transactions]).toEqual([1, []]);
  });
});

it('NotifyEVChargingSchedule is stored with the session, beside what the vehicle needs', () => {
  const chargingSchedule = { id: 1, chargingRateUnit: 'W' as const, chargingSchedulePeriod: [{ startPeriod: 0 }] };
  const schedule = { evseId: 1, timeBase: RECEIVED_AT, chargingSchedule };
  const sessions = [sessionWith({ device: { ...DEVICE, chargingNeeds: NEEDS } })];
  const { rows, answer } = handle(notifyEVChargingSchedule, schedule, { ...CHARGING, sessions });
  expect(rows.transactions).toMatchObject([
    { session: { device: { chargingNeeds: NEEDS, chargingSchedule: schedule } } },
  ]);
  expect([rows.events.length, answer]).toEqual([1, undefined]);
});
