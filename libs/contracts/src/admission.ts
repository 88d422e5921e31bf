/** Per-charger switches for the deviations of real chargers that are tolerated (docs/ocpp-1.6.md). */
export interface Compatibility {
  /** A connection that offers no subprotocol speaks OCPP 1.6. */
  readonly assumeOcpp16: boolean;
  /** The Basic password may be the hexadecimal digits of the key. */
  readonly acceptHexKey: boolean;
  /** Timestamps without a zone are UTC. */
  readonly zonelessIsUtc: boolean;
  /** Unknown fields and enum values are stored and answered. */
  readonly vendorFields: boolean;
  /** `null` in an optional field is as if the field were absent. */
  readonly nullFields: boolean;
  /** Texts above their limit are stored, up to a bound. */
  readonly overlongTexts: boolean;
  /** Numbers for texts and texts for numbers are converted where that is exact. */
  readonly numberTexts: boolean;
  /** Meter readings with a fraction are rounded down. */
  readonly fractionalMeters: boolean;
}

/** A security profile of the OCPP 1.6 security whitepaper; 0: none. */
export type SecurityProfile = 0 | 1 | 2 | 3;

export interface AdmissionRequest {
  readonly chargerId: string;
  readonly gatewayId: string;
  readonly connectionId: string;
  /** Base64 of the password bytes in the Basic header, if there is one. */
  readonly passwordBase64?: string;
  /** The names in the client certificate, if the charger presented one that a configured authority has signed. */
  readonly certificateNames?: readonly string[];
  /** Wrong passwords were sent lately for this charger or from this address: other requests are checked first. */
  readonly suspect?: boolean;
  /** The source network: an IPv4 address, or the /64 of an IPv6 address. Absent where it is unknown. */
  readonly network?: string;
  /** Too many attempts were rejected: admit this one only if the charger was admitted from its network before. */
  readonly knownNetworkOnly?: boolean;
  /** Whether the socket uses TLS. */
  readonly secure: boolean;
  readonly ocppVersion: string | null;
}

export type AdmissionAnswer =
  | {
      readonly outcome: 'accept';
      readonly incarnationId: string;
      /** The connection's order: the charger's own counter. */
      readonly order: number;
      /** The partition count of the store. A gateway with another count must not publish. */
      readonly partitions: number;
      readonly compatibility: Compatibility;
      /** Deviations in how the password was sent (rule 9). */
      readonly deviations: readonly string[];
      /**
       * What the connection proved: 3 a client certificate of this charger, 2 a password over TLS, 1 a password without
       * TLS, 0 neither.
       */
      readonly securityProfile: SecurityProfile;
    }
  | { readonly outcome: 'unknown' }
  | { readonly outcome: 'unauthorized' }
  | { readonly outcome: 'insecure' }
  /** Security profile 3 without a certificate that names this charger. */
  | { readonly outcome: 'certificate_required' }
  /** The client has its maximum of connected chargers. */
  | { readonly outcome: 'too_many_connections' }
  /** `knownNetworkOnly`, and the charger is unknown or was not admitted from that network. Nothing else was checked. */
  | { readonly outcome: 'throttled' }
  /** Too many passwords wait for their check. */
  | { readonly outcome: 'busy' }
  /** The store is unavailable: the charger must retry. */
  | { readonly outcome: 'unavailable' };
