// What the deviations of docs/ocpp-1.6.md mean; a test compares the two.

export const DEVIATIONS: Readonly<Record<string, string>> = {
  no_subprotocol: 'Offered no websocket subprotocol; OCPP 1.6 was assumed.',
  empty_path_segment: 'Connected with an empty segment before its identity, as in /ocpp//ID.',
  hex_key: 'Sent its key as hexadecimal digits instead of bytes.',
  vendor_field: 'Sent a field that the schema of the message does not have.',
  unknown_enum_value: 'Sent a value that is not in the enumeration of the schema.',
  zoneless_timestamp: 'Sent a timestamp without a zone; UTC was assumed.',
  null_field: 'Sent null in an optional field instead of leaving the field out; it was left out.',
  overlong_text: 'Sent a text above its limit; it was stored up to four times the limit.',
  number_text: 'Sent a number for a text or a text for a number; it was converted, where that is exact.',
  fractional_meter: 'Sent a meter reading with a fraction of a watt-hour; it was rounded down.',
  empty_string: 'Sent an empty text in an optional field instead of leaving the field out.',
  null_payload: 'Sent null as a payload; an empty one was assumed.',
  numeric_message_id: 'Sent a number as message id; it was echoed unchanged.',
  long_message_id: 'Sent a message id of more than 36 characters; it was echoed whole.',
  unmatched_answer: 'Answered a CALL that is not in flight: too late, twice, or without one.',
  unknown_message_type: 'Sent a frame with a message type that its OCPP version does not have.',
  unreadable_frame: 'Sent a frame that is no OCPP message.',
  clock_off: 'Sent a timestamp far from the time of receipt, which was used instead.',
  surplus_connector: 'Reported a negative connector, or one above the limit; it becomes no socket.',
};
