import type { DeviceState, InstalledProfile } from '@busbar/domain/device-state';
import {
  answered,
  handle,
  RECEIVED_AT,
  sessionWith,
  unanswered,
  type Situation,
} from '../../testing/handler-situation';
import { clearChargingProfileOutcome, setChargingProfileOutcome } from './charging-profiles';
import { ongoingOf } from './meter-values';
import type { RequestOf } from './route';

type Profile = RequestOf<'SetChargingProfile'>['csChargingProfiles'];

const profile = (part: Partial<Profile> = {}): Profile => ({
  chargingProfileId: 1,
  stackLevel: 0,
  chargingProfilePurpose: 'TxDefaultProfile',
  chargingProfileKind: 'Absolute',
  chargingSchedule: { chargingRateUnit: 'A', chargingSchedulePeriod: [{ startPeriod: 0, limit: 16 }] },
  ...part,
});
const installed = (part: Partial<InstalledProfile> = {}): InstalledProfile => ({
  profileId: 1,
  purpose: 'TxDefaultProfile',
  stackLevel: 0,
  socketId: 1,
  transactionId: null,
  forStart: false,
  profile: { ...profile() },
  commandId: null,
  setAt: RECEIVED_AT,
  position: [1, 1],
  ...part,
});
const having = (...profiles: Partial<InstalledProfile>[]): Situation => ({
  deviceState: { profiles: { installed: profiles.map(installed), clearings: [] } },
});
const set = (connectorId: number, part: Partial<Profile> = {}, situation: Situation = {}, status = 'Accepted') =>
  handle(
    setChargingProfileOutcome,
    answered<'SetChargingProfile'>({ connectorId, csChargingProfiles: profile(part) }, { status }),
    situation,
  );
const clear = (request: RequestOf<'ClearChargingProfile'>, situation: Situation, status = 'Accepted') =>
  handle(clearChargingProfileOutcome, answered<'ClearChargingProfile'>(request, { status }), situation);
const idsOf = ({ deviceState }: { readonly deviceState: DeviceState }) =>
  deviceState.profiles.installed.map(({ profileId }) => profileId);
const ONGOING = { ongoing: { '1': ongoingOf(sessionWith({ transactionId: 7 }), [1, 1]) } };
const TX = { chargingProfilePurpose: 'TxProfile' };

describe('the result of a SetChargingProfile', () => {
  it('stores the charging profile as it was sent, with the command, the time and the position', () => {
    const sent = { validTo: '2027-01-01T00:00:00Z', recurrencyKind: 'Daily' };
    const { deviceState, rows, charger, before } = set(2, sent, { report: { commandId: 'command-1' } });
    expect(deviceState.profiles.installed).toEqual([
      installed({ socketId: 2, commandId: 'command-1', position: [1, 5], profile: { ...profile(sent) } }),
    ]);
    expect(rows.deviceStates).toMatchObject([{ to: deviceState }]);
    expect(charger).toBe(before);
  });

  it.each<[string, number, Partial<Profile>, number | null]>([
    ['the ongoing one at its socket', 1, TX, 7],
    ['the one that it names', 1, { ...TX, transactionId: 9 }, 9],
    ['none, where none is ongoing at its socket', 2, TX, null],
    ['none, for a charging profile for any transaction', 1, { transactionId: 9 }, null],
  ])('gives the charging profile its transaction: %s', (_, connectorId, part, transactionId) => {
    const { deviceState } = set(connectorId, part, { reported: ONGOING });
    expect(deviceState.profiles.installed).toMatchObject([{ transactionId, forStart: false }]);
  });

  it.each<[string, Partial<Profile>, number[]]>([
    ['the one with the same id', { chargingProfileId: 2, stackLevel: 9 }, [3, 4, 2]],
    ['the one with the same purpose and level at its socket', { chargingProfileId: 5 }, [2, 4, 5]],
    ['none with another level', { chargingProfileId: 5, stackLevel: 9 }, [2, 3, 4, 5]],
    ['none with another purpose', { chargingProfileId: 5, ...TX }, [2, 3, 4, 5]],
    ['both rivals', { chargingProfileId: 2 }, [4, 2]],
  ])('replaces %s', (_, part, ids) => {
    const before = having(
      { profileId: 2, socketId: 2 },
      { profileId: 3, socketId: 1 },
      { profileId: 4, socketId: 1, stackLevel: 1 },
    );
    expect(idsOf(set(1, part, before))).toEqual(ids);
  });

  it.each<[string, Situation, number[]]>([
    ['of a later message with its id', having({ position: [2, 1], socketId: 2 }), [1]],
    ['of a later message with its purpose and level', having({ position: [2, 1], profileId: 9 }), [9]],
    [
      'that a later message cleared',
      { deviceState: { profiles: { installed: [], clearings: [{ criteria: { socketId: 1 }, position: [2, 1] }] } } },
      [],
    ],
  ])('does not replace a charging profile %s', (_, situation, ids) => {
    const { deviceState } = set(1, {}, situation);
    expect(deviceState.profiles).toEqual(situation.deviceState?.profiles);
    expect(idsOf({ deviceState })).toEqual(ids);
  });

  it('stores 100 charging profiles at most: the oldest is removed', () => {
    const full = having(...Array.from({ length: 100 }, (_, n) => ({ profileId: n + 2, stackLevel: n + 1 })));
    const ids = idsOf(set(1, {}, full));
    expect(ids).toHaveLength(100);
    expect([ids[0], ids[99]]).toEqual([3, 1]);
  });

  it('stores a million characters at most, and the last one of any length', () => {
    const long = (characters: number) => ({ profile: { text: 'x'.repeat(characters) } });
    const before = having(
      { profileId: 2, stackLevel: 2, ...long(600_000) },
      { profileId: 3, stackLevel: 3, ...long(600_000) },
    );
    expect(idsOf(set(1, {}, before))).toEqual([3, 1]);
    expect(idsOf(set(1, { validTo: 'x'.repeat(1_000_001) }, before))).toEqual([1]);
  });
});

describe('the result of a ClearChargingProfile', () => {
  it.each<[RequestOf<'ClearChargingProfile'>, number[]]>([
    [{}, []],
    [{ id: 1 }, [2, 3, 4]],
    [{ connectorId: 1 }, [3, 4]],
    [{ chargingProfilePurpose: 'ChargePointMaxProfile' }, [1, 2, 3]],
    [{ stackLevel: 3 }, [1, 3, 4]],
    [{ connectorId: 1, stackLevel: 3 }, [1, 3, 4]],
    [{ connectorId: 2, stackLevel: 3 }, [1, 2, 3, 4]],
  ])('clears the charging profiles that match %j', (request, left) => {
    const before = having(
      {},
      { profileId: 2, stackLevel: 3 },
      { profileId: 3, socketId: 2 },
      { profileId: 4, socketId: 0, purpose: 'ChargePointMaxProfile' },
    );
    const { deviceState, rows } = clear(request, before);
    expect(idsOf({ deviceState })).toEqual(left);
    expect(rows.deviceStates).toMatchObject([{ to: deviceState }]);
  });

  it('retains a charging profile of a later message', () => {
    expect(idsOf(clear({}, having({ position: [2, 1] })))).toEqual([1]);
  });

  it('is stored for charging profiles of an earlier message that is reported later', () => {
    const { deviceState } = clear({ id: 5, connectorId: 1 }, {});
    expect(deviceState.profiles.clearings).toEqual([{ criteria: { profileId: 5, socketId: 1 }, position: [1, 5] }]);
  });

  it('is stored up to a limit of 16', () => {
    const clearings = Array.from({ length: 16 }, (_, n) => ({ criteria: { profileId: n }, position: [1, 1] as const }));
    const after = clear({ id: 99 }, { deviceState: { profiles: { installed: [], clearings } } }).deviceState.profiles;
    expect(after.clearings).toHaveLength(16);
    expect([after.clearings[0]?.criteria, after.clearings[15]?.criteria]).toEqual([
      { profileId: 1 },
      { profileId: 99 },
    ]);
  });
});

it.each([
  ['a rejected SetChargingProfile', set(1, {}, {}, 'Rejected')],
  [
    'a SetChargingProfile without a response',
    handle(
      setChargingProfileOutcome,
      unanswered<'SetChargingProfile'>({ connectorId: 1, csChargingProfiles: profile() }),
    ),
  ],
  [
    'an invalid SetChargingProfile',
    handle(setChargingProfileOutcome, answered<'SetChargingProfile'>(undefined, { status: 'Accepted' })),
  ],
  ['a ClearChargingProfile that matched nothing', clear({}, having({}), 'Unknown')],
  [
    'an invalid ClearChargingProfile',
    handle(
      clearChargingProfileOutcome,
      answered<'ClearChargingProfile'>(undefined, { status: 'Accepted' }),
      having({}),
    ),
  ],
])('stores nothing for %s', (_, { rows, charger, before }) => {
  expect(rows.deviceStates).toEqual([]);
  expect(charger).toBe(before);
});
