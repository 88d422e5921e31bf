/**
 * What a charger got wrong and was answered all the same. Each kind is counted on the charger, so the names are part of
 * what operators see: never rename one.
 */
export type DeviationKind =
  | 'vendor_field'
  | 'unknown_enum_value'
  | 'zoneless_timestamp'
  | 'empty_string'
  | 'numeric_message_id'
  | 'long_message_id'
  | 'null_payload';

/** Shared by all frames without deviations, which is nearly all of them. */
export const NO_DEVIATIONS: readonly DeviationKind[] = [];

/** What a listener puts up with. A charger's `Compatibility` fits. */
export interface Tolerance {
  /** Timestamps without a zone are UTC. */
  readonly zonelessIsUtc: boolean;
  /** Unknown fields and enum values are kept and answered. */
  readonly vendorFields: boolean;
}

/** For what we send, and for listeners that say so. */
export const STRICT: Tolerance = { zonelessIsUtc: false, vendorFields: false };

/** The default towards chargers. */
export const TOLERANT: Tolerance = { zonelessIsUtc: true, vendorFields: true };
