// Charging profiles that a charger accepted or cleared, in any version.
import type { Charger } from '@busbar/domain/chargers';
import { withoutProfiles, withProfile, type InstalledProfile, type ProfileCriteria } from '@busbar/domain/device-state';
import type { HandlerContext, Report } from '../../pipeline/contract';
import { changeDeviceState } from './device-state';

/** A profile in the form of the API, with where it is installed. */
export type AcceptedProfile = Pick<
  InstalledProfile,
  'profileId' | 'purpose' | 'stackLevel' | 'profile' | 'socketId' | 'transactionId' | 'forStart'
>;

/** `needs.deviceStates` must have named the charger. */
export function installProfile(
  charger: Charger,
  { commandId, receivedAt }: Report<unknown>,
  context: HandlerContext,
  accepted: AcceptedProfile,
): void {
  const installed: InstalledProfile = {
    ...accepted,
    transactionId: accepted.purpose === 'TxProfile' ? accepted.transactionId : null,
    commandId: commandId ?? null,
    setAt: receivedAt,
    position: context.position,
  };
  changeDeviceState(charger, context, ({ profiles }) => ({ profiles: withProfile(profiles, installed) }));
}

/** `needs.deviceStates` must have named the charger. */
export function clearProfiles(charger: Charger, context: HandlerContext, criteria: ProfileCriteria): void {
  const clearing = { criteria, position: context.position };
  changeDeviceState(charger, context, ({ profiles }) => ({ profiles: withoutProfiles(profiles, clearing) }));
}
