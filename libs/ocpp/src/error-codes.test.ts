import { errorDescription, normalizeErrorCode, type Situation } from './error-codes';
import { errorCodes16 } from './v16/error-codes';

const TABLE: readonly (readonly [Situation, string | undefined])[] = [
  ['unknown_action', 'NotImplemented'],
  ['action_not_for_us', 'NotSupported'],
  ['malformed_payload', 'FormationViolation'],
  ['occurrence', 'OccurenceConstraintViolation'],
  ['type', 'TypeConstraintViolation'],
  ['value', 'PropertyConstraintViolation'],
  ['malformed_frame', 'ProtocolError'],
  ['reused_message_id', 'ProtocolError'],
  ['unknown_message_type', undefined],
  ['internal', 'InternalError'],
];

/** A version that spells the two codes as the versions after 1.6 do. */
const LATER = { malformed_payload: 'FormatViolation', occurrence: 'OccurrenceConstraintViolation' };

describe('error codes', () => {
  it.each(TABLE)('has for the situation %s the code %s in OCPP 1.6', (situation, code) => {
    expect(errorCodes16[situation]).toBe(code);
  });

  it.each(TABLE)('has for the situation %s a text that fits into a frame', (situation) => {
    expect(errorDescription(situation).length).toBeGreaterThan(0);
    expect(errorDescription(situation).length).toBeLessThanOrEqual(255);
  });

  it('accepts both spellings of a code and keeps other codes as they are', () => {
    expect(normalizeErrorCode(errorCodes16, 'OccurrenceConstraintViolation')).toBe('OccurenceConstraintViolation');
    expect(normalizeErrorCode(errorCodes16, 'FormatViolation')).toBe('FormationViolation');
    expect(normalizeErrorCode(errorCodes16, 'FormationViolation')).toBe('FormationViolation');
    expect(normalizeErrorCode(LATER, 'FormationViolation')).toBe('FormatViolation');
    expect(normalizeErrorCode(LATER, 'OccurenceConstraintViolation')).toBe('OccurrenceConstraintViolation');
    expect(normalizeErrorCode(errorCodes16, 'Mine')).toBe('Mine');
  });
});
