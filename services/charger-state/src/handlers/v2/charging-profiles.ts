// Charging profiles of OCPP 2.x, stored in the form of the API: one schedule without a list, the purposes of 1.6.
import type { Charger } from '@busbar/domain/chargers';
import type { ProfileCriteria } from '@busbar/domain/device-state';
import { socketIdOf } from '@busbar/ocpp';
import type { HandlerContext, Report } from '../../pipeline/contract';
import { clearProfiles, installProfile } from '../shared/charging-profiles';
import type { OutcomeHandler, RequestOf } from './route';

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
    const { transactionId: theirs } = chargingProfile;
    const ongoing = Object.values(charger.reported.ongoing).find(({ device, socketId }) =>
      theirs === undefined ? socketId === socketOf(evseId) : device?.id === theirs,
    );
    const place = { socketId: socketOf(evseId), transactionId: ongoing?.transactionId ?? null, forStart: false };
    install(charger, report, context, { profile: chargingProfile, ...place });
    return { charger };
  },
};

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

function install(
  charger: Charger,
  report: Report<unknown>,
  context: HandlerContext,
  { profile, ...place }: Placed,
): void {
  const { id: profileId, stackLevel, chargingSchedule, chargingProfilePurpose } = profile;
  const purpose = purposeOf(chargingProfilePurpose);
  const schedules = chargingSchedule.map((schedule) => without(schedule, ['id']));
  installProfile(charger, report, context, {
    profileId,
    purpose,
    stackLevel,
    ...place,
    profile: {
      ...without(profile, ['id', 'transactionId']),
      chargingProfileId: profileId,
      stackLevel,
      chargingProfilePurpose: purpose,
      chargingSchedule: schedules.length === 1 ? schedules[0] : schedules,
      ...(place.transactionId === null ? {} : { transactionId: place.transactionId }),
    },
  });
}

function without(fields: object, names: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}

function socketOf(evseId: number): number {
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
