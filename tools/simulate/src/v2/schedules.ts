// GetCompositeSchedule, and of OCPP 2.1 UpdateDynamicSchedule and UsePriorityCharging.
import { chargingProfileActions, install } from '../actions/charging-profiles';
import type { InstalledProfile } from '../charger/charging-profiles';
import type { ActionHandlers2 } from './action-handler';
import { isDynamic, withLimit } from './profiles';

export const scheduleActions: ActionHandlers2 = {
  /** OCPP 2.0.1, K08: of an EVSE, or of the charger's connection to the grid. */
  GetCompositeSchedule(control, { evseId, duration, chargingRateUnit }) {
    const unit = chargingRateUnit === undefined ? {} : { chargingRateUnit };
    const request = { connectorId: evseId, duration, ...unit };
    const { chargingSchedule, scheduleStart } =
      chargingProfileActions.GetCompositeSchedule?.(control, request).answer ?? {};
    if (chargingSchedule === undefined || scheduleStart === undefined) return { answer: { status: 'Rejected' } };
    const { chargingRateUnit: given, chargingSchedulePeriod } = chargingSchedule;
    const schedule = { evseId, duration, scheduleStart, chargingRateUnit: given, chargingSchedulePeriod };
    return { answer: { status: 'Accepted', schedule } };
  },

  /** OCPP 2.1, K28: the limit of a dynamic profile. Setpoints, limits of discharging and of single phases are Rejected. */
  UpdateDynamicSchedule(control, { chargingProfileId, scheduleUpdate: { limit, ...others } }) {
    const { state, clock } = control;
    const isUpdated = ({ profile }: InstalledProfile): boolean =>
      profile.chargingProfileId === chargingProfileId && isDynamic(profile);
    const isTaken = limit !== undefined && limit >= 0 && Object.keys(others).every((name) => name === 'customData');
    if (!isTaken || !state.profiles.some(isUpdated)) return { answer: { status: 'Rejected' } };
    const updated = (each: InstalledProfile): InstalledProfile => {
      return isUpdated(each) ? { ...each, profile: withLimit(each.profile, limit, clock.now()) } : each;
    };
    install(control, state.profiles.map(updated));
    return { answer: { status: 'Accepted' }, then: () => control.reportStatuses() };
  },

  /** K21: the transaction follows the profile with the purpose PriorityCharging in place of its own and the default one. */
  UsePriorityCharging(control, { transactionId, activate: activated }) {
    const { state, translation } = control;
    const socket = state.sockets.find(({ id }) => translation.transactions.atSocket(id)?.id === transactionId);
    if (socket?.session === undefined) return { answer: { status: 'Rejected' } };
    const hasProfile = state.profiles.some(
      ({ socket: at, profile }) =>
        (profile.chargingProfilePurpose as string) === 'PriorityCharging' && (at === 0 || at === socket.id),
    );
    if (activated && !hasProfile) return { answer: { status: 'NoProfile' } };
    install(control, state.profiles);
    socket.session.hasPriority = activated;
    const then = (): Promise<void> => {
      control.reportStatuses();
      return translation.notify('NotifyPriorityCharging', { transactionId, activated });
    };
    return { answer: { status: 'Accepted' }, then };
  },
};
