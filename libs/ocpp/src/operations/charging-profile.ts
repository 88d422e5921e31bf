// The charging profile of operations, of any version.

/** The API's type; it has the fields of OCPP 1.6, 7.8, several schedules in OCPP 2.x, and dynamic profiles in OCPP 2.1 (K28). */
export interface ChargingProfile {
  readonly chargingProfileId: number;
  readonly transactionId?: number;
  readonly stackLevel: number;
  readonly chargingProfilePurpose: 'ChargePointMaxProfile' | 'TxDefaultProfile' | 'TxProfile' | 'PriorityCharging';
  readonly chargingProfileKind: 'Absolute' | 'Recurring' | 'Relative' | 'Dynamic';
  readonly recurrencyKind?: 'Daily' | 'Weekly';
  readonly validFrom?: string;
  readonly validTo?: string;
  /** OCPP 2.1: seconds after which the charger asks for an update. */
  readonly dynUpdateInterval?: number;
  /** OCPP 2.1. */
  readonly dynUpdateTime?: string;
  readonly chargingSchedule: ChargingSchedule | readonly ChargingSchedule[];
}

export interface ChargingSchedule {
  /** Seconds. */
  readonly duration?: number;
  readonly startSchedule?: string;
  readonly chargingRateUnit: 'A' | 'W';
  readonly chargingSchedulePeriod: readonly {
    readonly startPeriod: number;
    readonly limit: number;
    readonly numberPhases?: number;
  }[];
  readonly minChargingRate?: number;
}

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
