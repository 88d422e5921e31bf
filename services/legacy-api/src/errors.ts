// THE table of this API's errors: status, and the code as clients of the older generation know it. docs/errors.md lists the
// same.
import type { ErrorCode } from '@busbar/core';
import type { ErrorPresenter } from '@busbar/http';

interface Answer {
  readonly status: number;
  readonly errorCode: string;
}

export const LEGACY_ERRORS: Readonly<Record<ErrorCode, Answer>> = {
  invalid_request: { status: 400, errorCode: 'invalid_request' },
  invalid_json: { status: 400, errorCode: 'invalid_json' },
  invalid_charger_id: { status: 400, errorCode: 'invalid_charger_id' },
  // A site is called a group here.
  invalid_site_id: { status: 400, errorCode: 'invalid_group_id' },
  unauthenticated: { status: 401, errorCode: 'unauthenticated' },
  https_required: { status: 403, errorCode: 'https_required' },
  forbidden: { status: 403, errorCode: 'forbidden' },
  not_found: { status: 404, errorCode: 'not_found' },
  method_not_allowed: { status: 405, errorCode: 'method_not_allowed' },
  conflict: { status: 409, errorCode: 'conflict' },
  charger_id_taken: { status: 409, errorCode: 'charger_id_taken' },
  site_required: { status: 409, errorCode: 'group_required' },
  site_not_empty: { status: 409, errorCode: 'site_not_empty' },
  site_circle: { status: 409, errorCode: 'group_circle' },
  tag_exists: { status: 409, errorCode: 'tag_exists' },
  tag_unknown: { status: 409, errorCode: 'tag_unknown' },
  tag_blocked: { status: 409, errorCode: 'tag_blocked' },
  tag_expired: { status: 409, errorCode: 'tag_expired' },
  tag_not_yet_valid: { status: 409, errorCode: 'tag_not_yet_valid' },
  tag_in_use: { status: 409, errorCode: 'tag_in_use' },
  transaction_ended: { status: 409, errorCode: 'transaction_ended' },
  charger_offline: { status: 409, errorCode: 'charger_offline' },
  not_supported_by_version: { status: 409, errorCode: 'not_supported_by_version' },
  idempotency_key_reused: { status: 409, errorCode: 'idempotency_key_reused' },
  request_in_progress: { status: 409, errorCode: 'request_in_progress' },
  precondition_failed: { status: 412, errorCode: 'precondition_failed' },
  body_too_large: { status: 413, errorCode: 'body_too_large' },
  unsupported_media_type: { status: 415, errorCode: 'unsupported_media_type' },
  rate_limited: { status: 429, errorCode: 'rate_limited' },
  internal: { status: 500, errorCode: 'internal' },
  // An operator's error, which no client gets to see: createApp answers it as `internal`.
  invalid_configuration: { status: 500, errorCode: 'internal' },
  charger_error: { status: 502, errorCode: 'charger_error' },
  charger_invalid_answer: { status: 502, errorCode: 'charger_invalid_answer' },
  charger_disconnected: { status: 502, errorCode: 'charger_disconnected' },
  unavailable: { status: 503, errorCode: 'unavailable' },
  charger_busy: { status: 503, errorCode: 'charger_busy' },
  charger_timeout: { status: 504, errorCode: 'charger_timeout' },
};

const CODES = [...new Set(Object.values(LEGACY_ERRORS).map(({ errorCode }) => errorCode))];

export const errorSchema = {
  title: 'Error',
  type: 'object',
  properties: {
    errorCode: { type: 'string', enum: CODES },
    message: { type: 'string' },
    requestId: { type: 'string' },
  },
  required: ['errorCode', 'message', 'requestId'],
  additionalProperties: false,
} as const;

export const legacyErrorPresenter: ErrorPresenter = {
  contentType: 'application/json; charset=utf-8',
  schema: errorSchema,
  statusOf: (code) => LEGACY_ERRORS[code].status,
  nameOf: (code) => LEGACY_ERRORS[code].errorCode,
  bodyOf: ({ error, requestId }) => ({
    errorCode: LEGACY_ERRORS[error.code].errorCode,
    message: error.message,
    requestId,
  }),
};
