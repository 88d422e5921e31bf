// THE table from what went wrong to the code that each version has for it.
import type { OcppVersion } from './version';

export type Situation =
  /** No action of this version has that name. */
  | 'unknown_action'
  /** The action exists, but it is ours to send. */
  | 'action_not_for_us'
  /** The payload is no object, or nested beyond reason. */
  | 'malformed_payload'
  /** Missing or too many fields. */
  | 'occurrence'
  /** Another JSON type than the schema's. */
  | 'type'
  /** Enum, length, range, format. */
  | 'value'
  /** No CALL can be read out of the frame, or its id is not usable. */
  | 'malformed_frame'
  /** The id was used on this connection for other content (rule 28). */
  | 'reused_message_id'
  | 'unknown_message_type'
  /** Another CALL before BootNotification was accepted. */
  | 'not_booted'
  | 'internal';

interface Row {
  /** Absent: that version does not answer. */
  readonly codes: Readonly<Partial<Record<OcppVersion, string>>>;
  /** What the charger is told: generic, at most 255 characters. */
  readonly description: string;
}

const TABLE: Readonly<Record<Situation, Row>> = {
  unknown_action: same('NotImplemented', 'This action is not known.'),
  action_not_for_us: same('NotSupported', 'This action is not one that a charger may send.'),
  // 1.6 misspells two of its codes, and chargers compare with the standard's text.
  malformed_payload: spelt('FormationViolation', 'FormatViolation', 'The payload is not an object of this action.'),
  occurrence: spelt(
    'OccurenceConstraintViolation',
    'OccurrenceConstraintViolation',
    'A field is missing or one too many.',
  ),
  type: same('TypeConstraintViolation', 'A field has another JSON type than the schema.'),
  value: same('PropertyConstraintViolation', 'A field has a value that the schema does not allow.'),
  malformed_frame: spelt('ProtocolError', 'RpcFrameworkError', 'The frame is not a valid message.'),
  reused_message_id: same('ProtocolError', 'This message id was used before for another message.'),
  unknown_message_type: {
    codes: { 'ocpp2.0.1': 'MessageTypeNotSupported' },
    description: 'This message type is not supported.',
  },
  not_booted: {
    codes: { 'ocpp2.0.1': 'SecurityError', 'ocpp2.1': 'SecurityError' },
    description: 'The charger has not been accepted yet.',
  },
  internal: same('InternalError', 'The message could not be processed.'),
};

const TWINS: readonly (readonly [ocpp16: string, later: string])[] = [
  ['FormationViolation', 'FormatViolation'],
  ['OccurenceConstraintViolation', 'OccurrenceConstraintViolation'],
];

/** The version's code for a situation; undefined where the version does not answer it. */
export function errorCode(version: OcppVersion, situation: Situation): string | undefined {
  return TABLE[situation].codes[version];
}

/** The generic text for a situation. */
export function errorDescription(situation: Situation): string {
  return TABLE[situation].description;
}

/** A code from a charger in the version's own spelling: either spelling is accepted, unknown codes stay as they are. */
export function normaliseErrorCode(version: OcppVersion, code: string): string {
  const twin = TWINS.find((pair) => pair.includes(code));
  if (twin === undefined) return code;
  return version === 'ocpp1.6' ? twin[0] : twin[1];
}

function same(code: string, description: string): Row {
  return spelt(code, code, description);
}

function spelt(ocpp16: string, later: string, description: string): Row {
  return { codes: { 'ocpp1.6': ocpp16, 'ocpp2.0.1': later, 'ocpp2.1': later }, description };
}
