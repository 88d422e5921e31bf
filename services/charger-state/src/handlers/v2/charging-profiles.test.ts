// Charging profiles that a charger reports, and limits of others: what outcomes and reports store of them (rule 159).
import type { Charger } from '@busbar/domain/chargers';
import { limitsInForce, type DeviceState } from '@busbar/domain/device-state';
import { answered2, handle, RECEIVED_AT, type Situation } from '../../testing/handler-situation';
import { clearedChargingLimit, notifyChargingLimit } from './charging-limits';
import {
  clearChargingProfileOutcome,
  installProfileOfStart,
  reportChargingProfiles,
  setChargingProfileOutcome,
} from './charging-profiles';
import { pullDynamicScheduleUpdate, updateDynamicScheduleOutcome } from './dynamic-profiles';
import { getChargingProfilesOutcome } from './reports';
import type { OutcomeHandler, RequestOf } from './route';

type Profile = RequestOf<'SetChargingProfile'>['chargingProfile'];
const SCHEDULE = { chargingRateUnit: 'A', chargingSchedulePeriod: [{ startPeriod: 0, limit: 8 }] };

function profile(id: number, more: Partial<Profile> = {}): Profile {
  const chargingSchedule = [{ id: 1, ...SCHEDULE }];
  const chargingProfilePurpose = 'ChargingStationMaxProfile';
  return { id, stackLevel: id, chargingProfilePurpose, chargingProfileKind: 'Absolute', chargingSchedule, ...more };
}
const external = (id: number) => profile(id, { chargingProfilePurpose: 'ChargingStationExternalConstraints' });

interface Part {
  readonly source?: string;
  readonly evseId?: number;
  readonly tbc?: boolean;
  readonly requestId?: number;
}

/** A charger and its device state, over several messages. */
function open(situation: Partial<Charger['reported']> = {}) {
  let [reported, deviceState, seq]: [Partial<Charger['reported']>, Partial<DeviceState>, number] = [situation, {}, 10];
  function next<P, A>(handler: Parameters<typeof handle<P, A>>[0], payload: P, report: Situation['report'] = {}) {
    seq += 1;
    const situation = { reported, deviceState, position: [1, seq] as const };
    const result = handle(handler, payload, { ...situation, report: { id: `r-${String(seq)}`, ...report } });
    reported = result.charger.reported;
    const [row] = result.rows.deviceStates;
    if (row !== undefined) deviceState = row.to;
    return result;
  }
  const accepted = { status: 'Accepted' } as const;
  /** A remote start with the profile. */
  const start: OutcomeHandler<'RequestStartTransaction'> = {
    apply(charger, report, context) {
      if (report.payload.request !== undefined) installProfileOfStart(charger, report, context, report.payload.request);
      return { charger };
    },
  };
  return {
    set: (evseId: number, chargingProfile: Profile) =>
      next(setChargingProfileOutcome, answered2<'SetChargingProfile'>({ evseId, chargingProfile }, accepted), {
        commandId: 'c',
      }),
    clear: (request: RequestOf<'ClearChargingProfile'>) =>
      next(clearChargingProfileOutcome, answered2<'ClearChargingProfile'>(request, accepted)),
    start: (chargingProfile: Profile) => {
      const request = { idToken: { idToken: 'T', type: 'Central' }, remoteStartId: 1, evseId: 1, chargingProfile };
      return next(start, answered2<'RequestStartTransaction'>(request, accepted), { commandId: 'start' });
    },
    request: (
      chargingProfile: RequestOf<'GetChargingProfiles'>['chargingProfile'] = {},
      status: 'Accepted' | 'NoProfiles' = 'Accepted',
    ) =>
      next(
        getChargingProfilesOutcome,
        answered2<'GetChargingProfiles'>({ requestId: 7, chargingProfile }, { status }),
        {
          action: 'GetChargingProfiles',
        },
      ),
    part: (
      chargingProfile: readonly Profile[],
      { source = 'CSO', evseId = 0, tbc = false, requestId = 7 }: Part = {},
    ) =>
      next(
        reportChargingProfiles,
        { requestId, tbc, evseId, chargingLimitSource: source, chargingProfile },
        { action: 'ReportChargingProfiles' },
      ),
    limit: (source: string, more: Partial<RequestOf<'NotifyChargingLimit'>> = {}) =>
      next(notifyChargingLimit, { chargingLimit: { chargingLimitSource: source, isGridCritical: true }, ...more }),
    cleared: (source: string, evseId?: number) =>
      next(clearedChargingLimit, { chargingLimitSource: source, ...(evseId !== undefined && { evseId }) }),
    update: (chargingProfileId: number, limit: number, status: 'Accepted' | 'Rejected' = 'Accepted') => {
      const request = { chargingProfileId, scheduleUpdate: { limit, customData: { vendorId: 'v' } } };
      return next(updateDynamicScheduleOutcome, answered2<'UpdateDynamicSchedule'>(request, { status }));
    },
    pull: (chargingProfileId: number) => next(pullDynamicScheduleUpdate, { chargingProfileId }).answer,
    get installed() {
      return deviceState.profiles?.installed ?? [];
    },
    get numbers() {
      return this.installed.map(({ profileId, source = 'CSO' }) => `${String(profileId)} ${source}`);
    },
    get limits() {
      return limitsInForce(deviceState.profiles?.externalLimits);
    },
  };
}

it('159. stores the profiles that the charger reports with their source, in the form of the API', () => {
  const world = open();
  world.part([external(3)], { source: 'EMS', evseId: 2 });
  expect(world.installed).toMatchObject([
    {
      profileId: 3,
      source: 'EMS',
      socketId: 2,
      purpose: 'ChargingStationExternalConstraints',
      commandId: null,
      setAt: RECEIVED_AT,
      profile: { chargingProfileId: 3, chargingSchedule: SCHEDULE },
    },
  ]);
});

it('159. clears no profile of another source by criteria of ours, whatever they are', () => {
  const world = open();
  world.set(0, profile(1));
  world.part([external(1), external(2)], { source: 'SO' });
  world.clear({ chargingProfileId: 2 });
  world.clear({});
  expect(world.numbers).toEqual(['1 SO', '2 SO']);
});

it('159. a profile of ours replaces none of another source', () => {
  const world = open();
  world.part([profile(1)], { source: 'EMS' });
  world.set(0, profile(1));
  expect(world.numbers).toEqual(['1 EMS', '1 CSO']);
});

it('159. a report of all profiles replaces what is stored, and keeps the command of ours', () => {
  const world = open();
  world.set(0, profile(1));
  world.set(0, profile(2));
  world.part([external(8)], { source: 'EMS', requestId: 6 });
  world.request();
  world.part([profile(1, { stackLevel: 5 })], { tbc: true });
  world.set(0, profile(4));
  expect(world.numbers).toEqual(['2 CSO', '8 EMS', '1 CSO', '4 CSO']);
  world.part([external(9)], { source: 'EMS' });
  expect(world.numbers).toEqual(['1 CSO', '4 CSO', '9 EMS']);
  expect(world.installed[0]).toMatchObject({ stackLevel: 5, commandId: 'c' });
});

it('159. has all profiles of a report that overtook the response to its request', () => {
  const world = open();
  world.set(0, profile(1));
  world.part([profile(2)]);
  world.request();
  expect(world.numbers).toEqual(['2 CSO']);
});

it.each<[string, RequestOf<'GetChargingProfiles'>['chargingProfile'], 'Accepted' | 'NoProfiles', readonly string[]]>([
  ['of some profiles removes none', { stackLevel: 9 }, 'Accepted', ['1 CSO', '9 CSO']],
  ['of none of some removes none', { stackLevel: 9 }, 'NoProfiles', ['1 CSO']],
  ['that there are none removes all', {}, 'NoProfiles', []],
])('159. a report %s', (_title, criteria, status, numbers) => {
  const world = open();
  world.set(0, profile(1));
  world.request(criteria, status);
  if (status === 'Accepted') world.part([profile(9)]);
  expect(world.numbers).toEqual(numbers);
});

it('159. keeps the profile of a start that has not begun', () => {
  const world = open();
  world.start(profile(6, { chargingProfilePurpose: 'TxProfile' }));
  world.request({}, 'NoProfiles');
  expect(world.numbers).toEqual(['6 CSO']);
  world.part([profile(6, { chargingProfilePurpose: 'TxProfile', transactionId: 'T-1' })], { evseId: 1 });
  expect(world.installed).toMatchObject([{ forStart: true, commandId: 'start' }]);
});

it('129. correlates a profile for a transaction with that of its EVSE, at whatever connector', () => {
  const device = { id: 'T-1', chargingState: null, wasEnergized: false };
  const at = { sessionId: 's', idTag: 'T', startTime: RECEIVED_AT, position: [1, 1] as const };
  const world = open({ ongoing: { '102': { socketId: 102, transactionId: 7, device, ...at } } });
  const ofTransaction = (id: number) => profile(id, { chargingProfilePurpose: 'TxProfile' });
  world.set(1, ofTransaction(5));
  world.part([ofTransaction(6)], { evseId: 1 });
  world.part([ofTransaction(8)], { evseId: 2 });
  expect(world.installed.map(({ transactionId }) => transactionId)).toEqual([7, 7, null]);
});

it('159. stores the limits of others until the charger clears them, and stores each message as an event', () => {
  const world = open();
  const chargingSchedule = [{ id: 1, ...SCHEDULE }];
  expect(world.limit('EMS', { evseId: 1, chargingSchedule }).rows.events).toHaveLength(1);
  world.limit('EMS');
  world.limit('SO');
  expect(world.limits).toEqual([
    { source: 'EMS', socketId: 1, at: RECEIVED_AT, isGridCritical: true, isLocalGeneration: false, chargingSchedule },
    {
      source: 'EMS',
      socketId: null,
      at: RECEIVED_AT,
      isGridCritical: true,
      isLocalGeneration: false,
      chargingSchedule: [],
    },
    expect.objectContaining({ source: 'SO', socketId: null }),
  ]);
  expect(world.cleared('EMS', 1).rows.events).toHaveLength(1);
  expect(world.limits.map(({ source }) => source)).toEqual(['EMS', 'SO']);
  world.limit('EMS', { evseId: 2 });
  world.cleared('EMS');
  expect(world.limits.map(({ source }) => source)).toEqual(['SO']);
});

it('159. removes the profiles of a limit with it, and no others', () => {
  const world = open();
  world.set(0, profile(1));
  world.part([external(2)], { source: 'EMS', evseId: 1 });
  world.part([external(3)], { source: 'EMS', evseId: 2 });
  world.part([external(4)], { source: 'SO', evseId: 1 });
  world.cleared('EMS', 1);
  expect(world.numbers).toEqual(['1 CSO', '3 EMS', '4 SO']);
  world.cleared('EMS');
  expect(world.numbers).toEqual(['1 CSO', '4 SO']);
});

it('159. answers a charger that asks for an update of a dynamic profile with the last one that it accepted', () => {
  const world = open();
  world.set(0, profile(1, { chargingProfileKind: 'Dynamic' }));
  expect(world.pull(1)).toEqual({ status: 'Rejected' });
  world.update(1, 8);
  world.update(1, 6);
  world.update(1, 32, 'Rejected');
  expect(world.pull(1)).toEqual({ status: 'Accepted', scheduleUpdate: { limit: 6 } });
  // Also after the charger has reported the profile.
  world.part([profile(1, { chargingProfileKind: 'Dynamic' })]);
  expect(world.pull(1)).toEqual({ status: 'Accepted', scheduleUpdate: { limit: 6 } });
  world.set(0, profile(1, { chargingProfileKind: 'Dynamic' }));
  expect(world.pull(1)).toEqual({ status: 'Rejected' });
});

it('159. keeps no update of a profile that it does not have, or of another source', () => {
  const world = open();
  world.part([external(2)], { source: 'EMS' });
  world.update(2, 8);
  world.update(3, 8);
  expect([world.pull(2), world.pull(3)]).toEqual([{ status: 'Rejected' }, { status: 'Rejected' }]);
});
