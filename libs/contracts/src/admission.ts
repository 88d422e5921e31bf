/** Per-charger switches for the deviations of real chargers that are tolerated (docs/ocpp-1.6.md). */
export interface Compatibility {
  /** No subprotocol offered: take it for OCPP 1.6. */
  readonly assumeOcpp16: boolean;
  /** The Basic password sent as hex digits of the key. */
  readonly acceptHexKey: boolean;
  /** Timestamps without a zone are UTC. */
  readonly zonelessIsUtc: boolean;
  /** Unknown fields and enum values are kept and answered instead of refused. */
  readonly vendorFields: boolean;
  /** `null` in an optional field is as if the field were absent. */
  readonly nullFields: boolean;
  /** Texts above their limit are kept, up to a bound. */
  readonly overlongTexts: boolean;
  /** Numbers for texts and texts for numbers are converted where that is exact. */
  readonly numberTexts: boolean;
  /** Meter readings with a fraction are rounded down. */
  readonly fractionalMeters: boolean;
}

export interface AdmissionRequest {
  readonly chargerId: string;
  readonly gatewayId: string;
  readonly connectionId: string;
  /** Base64 of the password bytes from the Basic header, when there was one. */
  readonly passwordBase64?: string;
  /** The names in the client certificate of its TLS, when it showed one that the configured authorities vouch for. */
  readonly certificateNames?: readonly string[];
  /** There were wrong passwords for this charger or from its address lately: others' are checked first. */
  readonly suspect?: boolean;
  /** Where it comes from: an IPv4 address, or the /64 of an IPv6 one. Absent where nobody knows it. */
  readonly network?: string;
  /** Too many attempts were rejected: judge this one only if the charger was admitted from its network before. */
  readonly knownNetworkOnly?: boolean;
  /** Whether the socket is TLS. */
  readonly secure: boolean;
  readonly ocppVersion: string | null;
}

export type AdmissionAnswer =
  | {
      readonly outcome: 'accept';
      readonly incarnationId: string;
      /** The charger's own counter: greater for each new connection. */
      readonly order: number;
      /** How many partitions the store was made with; a gateway that counts otherwise must not publish. */
      readonly partitions: number;
      readonly compatibility: Compatibility;
      /** The password was right only in a tolerated form (see rule 9). */
      readonly deviations: readonly string[];
    }
  | { readonly outcome: 'unknown' }
  | { readonly outcome: 'unauthorized' }
  | { readonly outcome: 'insecure' }
  /** Security profile 3, and no certificate that names this charger. */
  | { readonly outcome: 'certificate_required' }
  /** Its client has as many chargers connected as it may. */
  | { readonly outcome: 'too_many_connections' }
  /** `knownNetworkOnly`, and the charger, if there is one, is not known from that network. Nothing else was looked at. */
  | { readonly outcome: 'throttled' }
  /** Too many passwords wait to be checked. */
  | { readonly outcome: 'busy' }
  /** The store is away: the charger is to come again. */
  | { readonly outcome: 'unavailable' };
