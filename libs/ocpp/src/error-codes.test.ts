import { errorCode, errorDescription, normaliseErrorCode, type Situation } from './error-codes';

const TABLE: readonly (readonly [Situation, string | undefined, string | undefined, string | undefined])[] = [
  ['unknown_action', 'NotImplemented', 'NotImplemented', 'NotImplemented'],
  ['action_not_for_us', 'NotSupported', 'NotSupported', 'NotSupported'],
  ['malformed_payload', 'FormationViolation', 'FormatViolation', 'FormatViolation'],
  ['occurrence', 'OccurenceConstraintViolation', 'OccurrenceConstraintViolation', 'OccurrenceConstraintViolation'],
  ['type', 'TypeConstraintViolation', 'TypeConstraintViolation', 'TypeConstraintViolation'],
  ['value', 'PropertyConstraintViolation', 'PropertyConstraintViolation', 'PropertyConstraintViolation'],
  ['malformed_frame', 'ProtocolError', 'RpcFrameworkError', 'RpcFrameworkError'],
  ['reused_message_id', 'ProtocolError', 'ProtocolError', 'ProtocolError'],
  ['unknown_message_type', undefined, 'MessageTypeNotSupported', undefined],
  ['not_booted', undefined, 'SecurityError', 'SecurityError'],
  ['internal', 'InternalError', 'InternalError', 'InternalError'],
];

describe('error codes', () => {
  it.each(TABLE)('the situation %s has the code of each version', (situation, ocpp16, ocpp201, ocpp21) => {
    expect(errorCode('ocpp1.6', situation)).toBe(ocpp16);
    expect(errorCode('ocpp2.0.1', situation)).toBe(ocpp201);
    expect(errorCode('ocpp2.1', situation)).toBe(ocpp21);
  });

  it.each(TABLE)('the situation %s has a text that fits into a frame', (situation) => {
    expect(errorDescription(situation).length).toBeGreaterThan(0);
    expect(errorDescription(situation).length).toBeLessThanOrEqual(255);
  });

  it('accepts both spellings and leaves other codes as they are', () => {
    expect(normaliseErrorCode('ocpp1.6', 'OccurrenceConstraintViolation')).toBe('OccurenceConstraintViolation');
    expect(normaliseErrorCode('ocpp1.6', 'FormatViolation')).toBe('FormationViolation');
    expect(normaliseErrorCode('ocpp1.6', 'FormationViolation')).toBe('FormationViolation');
    expect(normaliseErrorCode('ocpp2.1', 'FormationViolation')).toBe('FormatViolation');
    expect(normaliseErrorCode('ocpp2.0.1', 'OccurenceConstraintViolation')).toBe('OccurrenceConstraintViolation');
    expect(normaliseErrorCode('ocpp1.6', 'Mine')).toBe('Mine');
  });
});
