/**
 * What a charger got wrong and was answered (or left in peace) all the same: THE closed list, with what each kind means. Each
 * is counted on the charger, in v2's `deviations` and in metrics, so the names are part of what operators see: never rename
 * one. A kind is counted at most once for each frame.
 */
export const DEVIATIONS = {
  /** Rule 3, `assumeOcpp16`. */
  no_subprotocol: 'Offered no websocket subprotocol, and was taken for OCPP 1.6.',
  /** Rule 6; refused only by a strict listener. */
  empty_path_segment: 'Connected with an empty segment before its identity, as in `/ocpp//ID`.',
  /** Rule 9, `acceptHexKey`. */
  hex_key: 'Sent its key as hexadecimal digits instead of the bytes that they stand for.',
  /** Rule 45, `vendorFields`. */
  vendor_field: 'Sent a field that the schema of the message does not have.',
  /** Rule 45, `vendorFields`. */
  unknown_enum_value: 'Sent a word that is not one of those the schema allows.',
  /** Rule 42, `zonelessIsUtc`. */
  zoneless_timestamp: 'Sent a timestamp without a zone; it was taken for UTC.',
  /** Rule 45, `nullFields`. */
  null_field: 'Sent null in an optional field instead of leaving the field out; it was left out.',
  /** Rule 45, `overlongTexts`. */
  overlong_text: 'Sent a text above its limit; it was kept up to four times the limit.',
  /** Rule 45, `numberTexts`. */
  number_text: 'Sent a number for a text or a text for a number; it was converted, where both say exactly the same.',
  /** Rule 45, `fractionalMeters`. */
  fractional_meter: 'Sent a meter reading with a fraction of a watt-hour; it was rounded down.',
  /** Rule 48; forgiven always. */
  empty_string: 'Sent an empty text in an optional field instead of leaving the field out.',
  /** Rule 32; forgiven always. */
  null_payload: 'Sent null as a payload; it was taken for an empty one.',
  /** Rule 29; refused only by a strict listener. */
  numeric_message_id: 'Sent a number as message id; it was echoed as it came.',
  /** Rule 29; forgiven always. */
  long_message_id: 'Sent a message id of more than 36 characters; it was echoed whole.',
  /** Rules 26 and 34; ignored. */
  unmatched_answer: 'Answered a CALL that is not pending: too late, twice, or one that was never sent.',
  /** Rule 33; ignored. */
  unknown_message_type: 'Sent a frame of a message type that its OCPP version does not have.',
  /** Rules 30 and 31; many in a row close the socket. */
  unreadable_frame: 'Sent a frame that is no OCPP message.',
  /** Rule 51. */
  clock_off: 'Its clock is far off; the time of receipt was taken instead.',
  /** Rule 50. */
  surplus_connector: 'Reported a connector that is negative, or one more than a charger can have; it makes no socket.',
} as const;

export type DeviationKind = keyof typeof DEVIATIONS;

/** Shared by all frames without deviations, which is nearly all of them. */
export const NO_DEVIATIONS: readonly DeviationKind[] = [];

/** What a listener puts up with. A charger's `Compatibility` fits. */
export interface Tolerance {
  /** Timestamps without a zone are UTC. */
  readonly zonelessIsUtc: boolean;
  /** Unknown fields and enum values are kept and answered. */
  readonly vendorFields: boolean;
  /** `null` in an optional field is as if the field were absent. */
  readonly nullFields: boolean;
  /** Texts above their limit are kept, up to a bound; those that are compared with others are not. */
  readonly overlongTexts: boolean;
  /** Numbers for texts and texts for numbers are converted where that is exact. */
  readonly numberTexts: boolean;
  /** Meter readings with a fraction are rounded down. */
  readonly fractionalMeters: boolean;
}

/** For what we send, and for listeners that say so. */
export const STRICT: Tolerance = {
  zonelessIsUtc: false,
  vendorFields: false,
  nullFields: false,
  overlongTexts: false,
  numberTexts: false,
  fractionalMeters: false,
};

/** The default towards chargers. */
export const TOLERANT: Tolerance = {
  zonelessIsUtc: true,
  vendorFields: true,
  nullFields: true,
  overlongTexts: true,
  numberTexts: true,
  fractionalMeters: true,
};
