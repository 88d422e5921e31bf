import type { ErrorCodes } from '../error-codes';

/** OCPP-J 1.6, 4.2.3. It misspells two codes, and chargers compare with its text. A message type that is unknown is ignored. */
export const errorCodes16: ErrorCodes = {
  unknown_action: 'NotImplemented',
  action_not_for_us: 'NotSupported',
  malformed_payload: 'FormationViolation',
  occurrence: 'OccurenceConstraintViolation',
  type: 'TypeConstraintViolation',
  value: 'PropertyConstraintViolation',
  malformed_frame: 'ProtocolError',
  reused_message_id: 'ProtocolError',
  internal: 'InternalError',
};
