// The situations that a CALLERROR answers, with their texts. Each version's folder has its codes.

export type Situation =
  /** No action of this version has that name. */
  | 'unknown_action'
  /** The action exists, but only we send it. */
  | 'action_not_for_us'
  /** The payload is no object, or its nesting exceeds the limit. */
  | 'malformed_payload'
  /** Missing or too many fields. */
  | 'occurrence'
  /** Another JSON type than the schema's. */
  | 'type'
  /** Enum, length, range, format. */
  | 'value'
  /** The frame holds no CALL, or its id is not usable. */
  | 'malformed_frame'
  /** The id was used on this connection for other content (rule 28). */
  | 'reused_message_id'
  | 'unknown_message_type'
  /** The charger must be accepted by a BootNotification first (2.x). */
  | 'not_accepted'
  | 'internal';

/** A version's codes; a situation without one is not answered. */
export type ErrorCodes = Readonly<Partial<Record<Situation, string>>>;

/** Sent to the charger: generic, at most 255 characters. */
const DESCRIPTIONS: Readonly<Record<Situation, string>> = {
  unknown_action: 'This action is not known.',
  action_not_for_us: 'This action is not one that a charger may send.',
  malformed_payload: 'The payload is not an object of this action.',
  occurrence: 'A field is missing or one too many.',
  type: 'A field has another JSON type than the schema.',
  value: 'A field has a value that the schema does not allow.',
  malformed_frame: 'The frame is not a valid message.',
  reused_message_id: 'This message id was used before for another message.',
  unknown_message_type: 'This message type is not supported.',
  not_accepted: 'Send a BootNotification first, and wait until it is accepted.',
  internal: 'The message could not be processed.',
};

/** Codes that versions name or spell differently. */
const SYNONYMS = [
  ['FormationViolation', 'FormatViolation'],
  ['OccurenceConstraintViolation', 'OccurrenceConstraintViolation'],
];

/** The generic text for a situation. */
export function errorDescription(situation: Situation): string {
  return DESCRIPTIONS[situation];
}

/** A charger's code in the version's own spelling; an unknown code stays as it is. */
export function normalizeErrorCode(codes: ErrorCodes, code: string): string {
  const synonyms = SYNONYMS.find((names) => names.includes(code)) ?? [];
  const own = Object.values(codes);
  return synonyms.find((name) => own.includes(name)) ?? code;
}
