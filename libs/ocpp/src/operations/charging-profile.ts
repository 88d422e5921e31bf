import type { ChargingProfile, ChargingSchedule } from './operation';

/** The schedules of a profile: one, or several in OCPP 2.x. */
export function schedulesOf({ chargingSchedule }: ChargingProfile): readonly ChargingSchedule[] {
  return isList(chargingSchedule) ? chargingSchedule : [chargingSchedule];
}

/** Whether the profile has a list of schedules, also one of a single schedule. */
export function hasList({ chargingSchedule }: ChargingProfile): boolean {
  return isList(chargingSchedule);
}

function isList(schedule: ChargingProfile['chargingSchedule']): schedule is readonly ChargingSchedule[] {
  return Array.isArray(schedule);
}
