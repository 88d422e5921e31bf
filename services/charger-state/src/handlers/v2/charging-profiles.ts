// Charging profiles of OCPP 2.x that a charger accepted, cleared or reported, stored in the form of the API: one schedule without a list, the
// purposes of 1.6.
import type { Charger } from '@busbar/domain/chargers';
import {
  OWN_SOURCE,
  withReportedProfile,
  type InstalledProfile,
  type ProfileCriteria,
} from '@busbar/domain/device-state';
import { socketIdOf } from '@busbar/ocpp';
import type { HandlerContext, Report } from '../../pipeline/contract';
import { clearProfiles, installProfile, type AcceptedProfile } from '../shared/charging-profiles';
import { changeDeviceState } from '../shared/device-state';
import { partHandler } from './reports';
import type { OutcomeHandler, RequestOf } from './route';
import { ongoingAtEvse } from './transactions/ongoing-at-evse';

type Profile = RequestOf<'SetChargingProfile'>['chargingProfile'];

const STATION_PURPOSE = 'ChargingStationMaxProfile';
const STATION_PURPOSE_16 = 'ChargePointMaxProfile';

/** The result of a SetChargingProfile (OCPP 2.0.1, K01). EVSE 0 is the charging station. */
export const setChargingProfileOutcome: OutcomeHandler<'SetChargingProfile'> = {
  prepare: (needs, { chargerId }) => needs.deviceStates(chargerId),
  apply(charger, report, context) {
    const { request, status } = report.payload;
    if (request === undefined || status !== 'Accepted') return { charger };
    const { evseId, chargingProfile } = request;
    const place = { socketId: socketOf(evseId), transactionId: transactionOf(charger, evseId, chargingProfile) };
    install(charger, report, context, { profile: chargingProfile, ...place, forStart: false });
    return { charger };
  },
};

/** A part of the profiles that the charger has (OCPP 2.0.1, K09), also those of other sources (rule 159). */
export const reportChargingProfiles = partHandler<'ReportChargingProfiles'>(
  'charging_profiles',
  ({ chargingProfile, chargingLimitSource, evseId }) =>
    chargingProfile.map((each) => ({ evseId, chargingLimitSource, chargingProfile: each })),
  (charger, { payload, receivedAt }, context) => {
    const { chargingProfile, chargingLimitSource: source, evseId } = payload;
    const place = { socketId: socketOf(evseId), forStart: false, ...(source !== OWN_SOURCE && { source }) };
    const reported = chargingProfile.map((profile): InstalledProfile => ({
      ...acceptedOf({ profile, ...place, transactionId: ofTransaction(charger, evseId, profile) }),
      ...place,
      commandId: null,
      setAt: receivedAt,
      position: context.position,
    }));
    changeDeviceState(charger, context, ({ profiles }) => ({
      profiles: reported.reduce(withReportedProfile, profiles),
    }));
  },
);

function ofTransaction(charger: Charger, evseId: number, profile: Profile): number | null {
  return profile.chargingProfilePurpose === 'TxProfile' ? transactionOf(charger, evseId, profile) : null;
}

/** Ours, of the transaction that the profile names, or that is in progress at the EVSE. */
function transactionOf(charger: Charger, evseId: number, { transactionId: theirs }: Profile): number | null {
  const ongoing =
    theirs === undefined
      ? ongoingAtEvse(charger, evseId)
      : Object.values(charger.reported.ongoing).find(({ device }) => device?.id === theirs);
  return ongoing?.transactionId ?? null;
}

/** Installs the profile of a remote start (OCPP 2.0.1, F01), for the transaction that the start begins. */
export function installProfileOfStart(
  charger: Charger,
  report: Report<unknown>,
  context: HandlerContext,
  { evseId, chargingProfile: profile }: RequestOf<'RequestStartTransaction'>,
): void {
  if (profile === undefined) return;
  const socketId = evseId === undefined ? null : socketOf(evseId);
  install(charger, report, context, { profile, socketId, transactionId: null, forStart: true });
}

/** The result of a ClearChargingProfile (OCPP 2.0.1, K10). */
export const clearChargingProfileOutcome: OutcomeHandler<'ClearChargingProfile'> = {
  prepare: (needs, { chargerId }) => needs.deviceStates(chargerId),
  apply(charger, { payload: { request, status } }, context) {
    if (request !== undefined && status === 'Accepted') clearProfiles(charger, context, criteriaOf(request));
    return { charger };
  },
};

interface Placed {
  readonly profile: Profile;
  readonly socketId: number | null;
  readonly transactionId: number | null;
  readonly forStart: boolean;
}

function install(charger: Charger, report: Report<unknown>, context: HandlerContext, placed: Placed): void {
  installProfile(charger, report, context, acceptedOf(placed));
}

/** In the form of the API. */
function acceptedOf({ profile, socketId, transactionId, forStart }: Placed): AcceptedProfile {
  const { id: profileId, stackLevel, chargingSchedule, chargingProfilePurpose } = profile;
  const purpose = purposeOf(chargingProfilePurpose);
  const schedules = chargingSchedule.map((schedule) => without(schedule, ['id']));
  return {
    profileId,
    purpose,
    stackLevel,
    socketId,
    transactionId,
    forStart,
    profile: {
      ...without(profile, ['id', 'transactionId']),
      chargingProfileId: profileId,
      stackLevel,
      chargingProfilePurpose: purpose,
      chargingSchedule: schedules.length === 1 ? schedules[0] : schedules,
      ...(transactionId === null ? {} : { transactionId }),
    },
  };
}

function without(fields: object, names: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}

/** Its first connector stands for an EVSE. */
export function socketOf(evseId: number): number {
  return socketIdOf({ evseId, connectorId: 1 }) ?? 0;
}

function purposeOf(purpose: string): string {
  return purpose === STATION_PURPOSE ? STATION_PURPOSE_16 : purpose;
}

function criteriaOf({
  chargingProfileId,
  chargingProfileCriteria,
}: RequestOf<'ClearChargingProfile'>): ProfileCriteria {
  const { evseId, chargingProfilePurpose, stackLevel } = chargingProfileCriteria ?? {};
  return {
    ...(chargingProfileId === undefined ? {} : { profileId: chargingProfileId }),
    ...(evseId === undefined ? {} : { socketId: evseId === 0 ? 0 : socketOf(evseId) }),
    ...(chargingProfilePurpose === undefined ? {} : { purpose: purposeOf(chargingProfilePurpose) }),
    ...(stackLevel === undefined ? {} : { stackLevel }),
  };
}
