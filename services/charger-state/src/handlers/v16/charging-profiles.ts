import type { CallOutcome } from '@busbar/contracts';
import { type Charger } from '@busbar/domain/chargers';
import { withoutProfiles, withProfile, type InstalledProfile, type ProfileCriteria } from '@busbar/domain/device-state';
import type { V16Requests } from '@busbar/ocpp';
import type { Handler, HandlerContext, Report } from '../handler';
import { changeDeviceState } from '../shared/device-state';
import { exchangeOf } from './exchange';

type Profile = V16Requests['SetChargingProfile']['csChargingProfiles'];

/** How our SetChargingProfile ended (OCPP 1.6 5.16). */
export const setChargingProfileOutcome: Handler<CallOutcome> = {
  prepare: (needs, { chargerId }) => needs.deviceStates(chargerId),
  apply(charger, report, context) {
    const exchange = exchangeOf('SetChargingProfile', report);
    if (exchange?.status !== 'Accepted') return { charger };
    const { connectorId, csChargingProfiles: profile } = exchange.request;
    // Without a transaction's number it is for the one under way at the socket (OCPP 1.6 3.13.1).
    const transactionId = profile.transactionId ?? charger.reported.ongoing[String(connectorId)]?.transactionId ?? null;
    install(charger, report, context, { profile, socketId: connectorId, transactionId, forStart: false });
    return { charger };
  },
};

/** The profile that came with a remote start (OCPP 1.6 5.11): for the transaction which that start begins. */
export function installProfileOfStart(
  charger: Charger,
  report: Report<CallOutcome>,
  context: HandlerContext,
  { connectorId, chargingProfile }: V16Requests['RemoteStartTransaction'],
): void {
  if (chargingProfile === undefined) return;
  const parts = { profile: chargingProfile, socketId: connectorId ?? null, transactionId: null, forStart: true };
  install(charger, report, context, parts);
}

/** How our ClearChargingProfile ended (OCPP 1.6 5.5). */
export const clearChargingProfileOutcome: Handler<CallOutcome> = {
  prepare: (needs, { chargerId }) => needs.deviceStates(chargerId),
  apply(charger, report, context) {
    const exchange = exchangeOf('ClearChargingProfile', report);
    if (exchange?.status !== 'Accepted') return { charger };
    const clearing = { criteria: criteriaOf(exchange.request), position: context.position };
    changeDeviceState(charger, context, ({ profiles }) => ({ profiles: withoutProfiles(profiles, clearing) }));
    return { charger };
  },
};

function install(
  charger: Charger,
  report: Report<CallOutcome>,
  context: HandlerContext,
  {
    profile,
    ...place
  }: Pick<InstalledProfile, 'socketId' | 'transactionId' | 'forStart'> & { readonly profile: Profile },
): void {
  const { chargingProfileId: profileId, chargingProfilePurpose: purpose, stackLevel } = profile;
  const isOfTransaction = purpose === 'TxProfile';
  const installed: InstalledProfile = {
    ...{ profileId, purpose, stackLevel, ...place, profile: { ...profile } },
    transactionId: isOfTransaction ? place.transactionId : null,
    ...{ commandId: report.commandId ?? null, setAt: report.receivedAt, position: context.position },
  };
  changeDeviceState(charger, context, ({ profiles }) => ({ profiles: withProfile(profiles, installed) }));
}

function criteriaOf(request: V16Requests['ClearChargingProfile']): ProfileCriteria {
  const { id, connectorId, chargingProfilePurpose, stackLevel } = request;
  return {
    ...(id === undefined ? {} : { profileId: id }),
    ...(connectorId === undefined ? {} : { socketId: connectorId }),
    ...(chargingProfilePurpose === undefined ? {} : { purpose: chargingProfilePurpose }),
    ...(stackLevel === undefined ? {} : { stackLevel }),
  };
}
