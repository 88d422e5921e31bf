// Operations on charging profiles that OCPP 2.x alone has.

/** The charging profiles that match all of these. */
export interface ChargingProfileCriteria {
  /** 0: the whole charger alone. */
  readonly socketId?: number;
  readonly chargingProfilePurpose?: string;
  readonly stackLevel?: number;
  readonly chargingProfileId?: readonly number[];
  readonly chargingLimitSource?: readonly string[];
}

export interface SmartChargingOperations {
  /** The charger reports them in parts. Without criteria all. */
  readonly getChargingProfiles: {
    readonly input: ChargingProfileCriteria & { readonly requestId: number };
    readonly answer: { readonly status: string };
  };
}
