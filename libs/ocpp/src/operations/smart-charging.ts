// Operations of smart charging that OCPP 2.x alone has.

/** The charging profiles that match all of these. */
export interface ChargingProfileCriteria {
  /** 0: the whole charger alone. */
  readonly socketId?: number;
  readonly chargingProfilePurpose?: string;
  readonly stackLevel?: number;
  readonly chargingProfileId?: readonly number[];
  readonly chargingLimitSource?: readonly string[];
}

/** An update of a dynamic charging profile, in OCPP's field names (2.1, ChargingScheduleUpdateType): of all phases, or of one. */
type Setting = 'limit' | 'dischargeLimit' | 'setpoint' | 'setpointReactive';
export type ScheduleUpdateInput = { readonly [Field in Setting | `${Setting}_L2` | `${Setting}_L3`]?: number };

export interface SmartChargingOperations {
  /** OCPP 2.1: changes the limits of a dynamic charging profile. */
  readonly updateDynamicSchedule: {
    readonly input: ScheduleUpdateInput & { readonly chargingProfileId: number };
    readonly answer: { readonly status: string };
  };
  /** OCPP 2.1: lets a session charge by the charger's profile for priority charging, or by its others again. */
  readonly usePriorityCharging: {
    readonly input: { readonly transactionId: number; readonly activate: boolean };
    readonly answer: { readonly status: string };
  };
  /** The charger reports them in parts. Without criteria all. */
  readonly getChargingProfiles: {
    readonly input: ChargingProfileCriteria & { readonly requestId: number };
    readonly answer: { readonly status: string };
  };
}
