import type { Charger } from '@busbar/domain/chargers';
import type { InstalledProfile, ProfileCriteria } from '@busbar/domain/device-state';
import type { HandlerContext, Report } from '../../pipeline/contract';
import { clearProfiles, installProfile } from '../shared/charging-profiles';
import type { OutcomeHandler, RequestOf } from './route';

type Profile = RequestOf<'SetChargingProfile'>['csChargingProfiles'];

/** The result of a SetChargingProfile (OCPP 1.6 5.16). */
export const setChargingProfileOutcome: OutcomeHandler<'SetChargingProfile'> = {
  prepare: (needs, { chargerId }) => needs.deviceStates(chargerId),
  apply(charger, report, context) {
    const { request, status } = report.payload;
    if (request === undefined || status !== 'Accepted') return { charger };
    const { connectorId, csChargingProfiles: profile } = request;
    // Without a transaction id it is for the ongoing transaction of the socket (OCPP 1.6 3.13.1).
    const transactionId = profile.transactionId ?? charger.reported.ongoing[String(connectorId)]?.transactionId ?? null;
    install(charger, report, context, { profile, socketId: connectorId, transactionId, forStart: false });
    return { charger };
  },
};

/** Installs the profile of a remote start (OCPP 1.6 5.11), for the transaction that the start begins. */
export function installProfileOfStart(
  charger: Charger,
  report: Report<unknown>,
  context: HandlerContext,
  { connectorId, chargingProfile }: RequestOf<'RemoteStartTransaction'>,
): void {
  if (chargingProfile === undefined) return;
  const parts = { profile: chargingProfile, socketId: connectorId ?? null, transactionId: null, forStart: true };
  install(charger, report, context, parts);
}

/** The result of a ClearChargingProfile (OCPP 1.6 5.5). */
export const clearChargingProfileOutcome: OutcomeHandler<'ClearChargingProfile'> = {
  prepare: (needs, { chargerId }) => needs.deviceStates(chargerId),
  apply(charger, { payload: { request, status } }, context) {
    if (request === undefined || status !== 'Accepted') return { charger };
    clearProfiles(charger, context, criteriaOf(request));
    return { charger };
  },
};

function install(
  charger: Charger,
  report: Report<unknown>,
  context: HandlerContext,
  {
    profile,
    ...place
  }: Pick<InstalledProfile, 'socketId' | 'transactionId' | 'forStart'> & { readonly profile: Profile },
): void {
  const { chargingProfileId: profileId, chargingProfilePurpose: purpose, stackLevel } = profile;
  installProfile(charger, report, context, { profileId, purpose, stackLevel, ...place, profile: { ...profile } });
}

function criteriaOf(request: RequestOf<'ClearChargingProfile'>): ProfileCriteria {
  const { id, connectorId, chargingProfilePurpose, stackLevel } = request;
  return {
    ...(id === undefined ? {} : { profileId: id }),
    ...(connectorId === undefined ? {} : { socketId: connectorId }),
    ...(chargingProfilePurpose === undefined ? {} : { purpose: chargingProfilePurpose }),
    ...(stackLevel === undefined ? {} : { stackLevel }),
  };
}
