import type { ErrorCodes } from '../error-codes';

/** OCPP-J 2.0.1 and 2.1, 4.3. Both spell the codes that 1.6 misspells as they should be. */
const CODES: ErrorCodes = {
  unknown_action: 'NotImplemented',
  action_not_for_us: 'NotSupported',
  malformed_payload: 'FormatViolation',
  occurrence: 'OccurrenceConstraintViolation',
  type: 'TypeConstraintViolation',
  value: 'PropertyConstraintViolation',
  malformed_frame: 'RpcFrameworkError',
  reused_message_id: 'ProtocolError',
  not_accepted: 'SecurityError',
  internal: 'InternalError',
};

export const errorCodes201: ErrorCodes = { ...CODES, unknown_message_type: 'MessageTypeNotSupported' };
/** 2.1 ignores message types that it does not know. */
export const errorCodes21: ErrorCodes = CODES;
