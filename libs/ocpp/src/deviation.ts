/**
 * The closed list of tolerated deviations from OCPP. Each is counted on its charger, in v2's `deviations` and in metrics, so the
 * names are visible to operators. A kind is counted at most once for each frame.
 */
export const DEVIATIONS = {
  /** Rule 3, `assumeOcpp16`. */
  no_subprotocol: 'Offered no websocket subprotocol; OCPP 1.6 was assumed.',
  /** Rule 6; refused only by a strict gateway. */
  empty_path_segment: 'Connected with an empty segment before its identity, as in `/ocpp//ID`.',
  /** Rule 9, `acceptHexKey`. */
  hex_key: 'Sent its key as hexadecimal digits instead of bytes.',
  /** Rule 45, `vendorFields`. */
  vendor_field: 'Sent a field that the schema of the message does not have.',
  /** Rule 45, `vendorFields`. */
  unknown_enum_value: 'Sent a value that is not in the enumeration of the schema.',
  /** Rule 42, `zonelessIsUtc`. */
  zoneless_timestamp: 'Sent a timestamp without a zone; UTC was assumed.',
  /** Rules 45 and 113, `nullFields`. */
  null_field: 'Sent null in an optional field instead of leaving the field out; it was left out.',
  /** Rule 113, `nullFields`. */
  empty_list: 'Sent an empty list in an optional field instead of leaving the field out; it was left out.',
  /** Rule 45, `overlongTexts`. */
  overlong_text: 'Sent a text above its limit; it was stored up to four times the limit.',
  /** Rule 45, `numberTexts`. */
  number_text: 'Sent a number for a text or a text for a number; it was converted, where that is exact.',
  /** Rule 45, `fractionalMeters`. */
  fractional_meter: 'Sent a meter reading with a fraction of a watt-hour; it was rounded down.',
  /** Rule 48; always tolerated. */
  empty_string: 'Sent an empty text in an optional field instead of leaving the field out.',
  /** Rule 32; always tolerated. */
  null_payload: 'Sent null as a payload; an empty one was assumed.',
  /** Rule 29; refused only by a strict gateway. */
  numeric_message_id: 'Sent a number as message id; it was echoed unchanged.',
  /** Rule 29; always tolerated. */
  long_message_id: 'Sent a message id of more than 36 characters; it was echoed whole.',
  /** Rule 115; dropped. */
  unusable_send:
    'Sent a SEND of an unknown action, of a stream that is not open, or with a payload that does not fit; it was dropped.',
  /** Rule 116. */
  result_refused: 'Refused a CALLRESULT of the service with a CALLRESULTERROR.',
  /** Rules 26 and 34; ignored. */
  unmatched_answer: 'Answered a CALL that is not in flight: too late, twice, or without one.',
  /** Rule 33; ignored. */
  unknown_message_type: 'Sent a frame with a message type that its OCPP version does not have.',
  /** Rules 30 and 31; many in a row close the socket. */
  unreadable_frame: 'Sent a frame that is no OCPP message.',
  /** Rule 107; refused only by a strict gateway. */
  no_security: 'Spoke OCPP 2.x without a password or certificate that is registered.',
  /** Rule 122; refused only by a strict gateway. */
  not_booted: 'Sent another message than a BootNotification before its first one.',
  /** Rule 51. */
  clock_off: 'Sent a timestamp far from the time of receipt, which was used instead.',
  /** Rules 50 and 132. */
  surplus_connector: 'Reported a negative connector, or one above the limit; it becomes no socket.',
  /** Rule 141. */
  reused_seq_no: 'Sent a TransactionEvent with the sequence number of another one; both were taken.',
  /** Rule 144. */
  reused_transaction_id: 'Began a transaction with the id of an ended one; it became another session.',
} as const;

export type DeviationKind = keyof typeof DEVIATIONS;

/** Shared by all frames without deviations, which are nearly all. */
export const NO_DEVIATIONS: readonly DeviationKind[] = [];

/** The deviations that are tolerated. A charger's `Compatibility` is one. */
export interface Tolerance {
  /** Timestamps without a zone are UTC. */
  readonly zonelessIsUtc: boolean;
  /** Unknown fields and enum values are kept and answered. */
  readonly vendorFields: boolean;
  /** `null` in an optional field counts as absent; in OCPP 2.x also an empty list there, and a payload of `null`. */
  readonly nullFields: boolean;
  /** Texts above their limit are kept up to a bound, except identifiers. */
  readonly overlongTexts: boolean;
  /** Numbers for texts and texts for numbers are converted where that is exact. */
  readonly numberTexts: boolean;
  /** Meter readings with a fraction are rounded down. */
  readonly fractionalMeters: boolean;
}

/** For CALLs that we send, and for strict gateways. */
export const STRICT: Tolerance = {
  zonelessIsUtc: false,
  vendorFields: false,
  nullFields: false,
  overlongTexts: false,
  numberTexts: false,
  fractionalMeters: false,
};

/** The default for chargers. */
export const TOLERANT: Tolerance = {
  zonelessIsUtc: true,
  vendorFields: true,
  nullFields: true,
  overlongTexts: true,
  numberTexts: true,
  fractionalMeters: true,
};
