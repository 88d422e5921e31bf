// THE table of errors of both APIs: the status and title of each code. docs/errors.md lists the same.
import type { ErrorCode } from '@busbar/core';

export interface ErrorDefinition {
  readonly status: number;
  readonly title: string;
}

export const API_ERRORS: Readonly<Record<ErrorCode, ErrorDefinition>> = {
  invalid_request: { status: 400, title: 'The request is invalid' },
  invalid_json: { status: 400, title: 'The body is not valid JSON' },
  invalid_charger_id: { status: 400, title: 'The chargerId is invalid' },
  invalid_site_id: { status: 400, title: 'The site is unknown' },
  unauthenticated: { status: 401, title: 'The API key is missing or invalid' },
  https_required: { status: 403, title: 'HTTPS is required' },
  forbidden: { status: 403, title: 'The API key lacks a permission' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  conflict: { status: 409, title: 'Conflict with the current state' },
  charger_id_taken: { status: 409, title: 'The chargerId is taken' },
  site_required: { status: 409, title: 'The client has no site' },
  site_not_empty: { status: 409, title: 'The site is not empty' },
  site_circle: { status: 409, title: 'A site cannot be below itself' },
  tag_exists: { status: 409, title: 'The tag exists already' },
  tag_unknown: { status: 409, title: 'The tag is unknown' },
  tag_blocked: { status: 409, title: 'The tag is blocked' },
  tag_expired: { status: 409, title: 'The tag has expired' },
  tag_not_yet_valid: { status: 409, title: 'The tag is not valid yet' },
  tag_in_use: { status: 409, title: 'The tag is in use' },
  transaction_ended: { status: 409, title: 'The transaction has ended' },
  charger_offline: { status: 409, title: 'The charger is not connected' },
  not_supported_by_version: { status: 409, title: "The charger's OCPP version does not support this" },
  idempotency_key_reused: { status: 409, title: 'The Idempotency-Key was used for another request' },
  request_in_progress: { status: 409, title: 'The first request with this Idempotency-Key is in progress' },
  precondition_failed: { status: 412, title: 'The record has changed' },
  body_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'The body must be JSON' },
  rate_limited: { status: 429, title: 'Too many requests' },
  internal: { status: 500, title: 'Internal error' },
  // An operator's error: clients get `internal`.
  invalid_configuration: { status: 500, title: 'Internal error' },
  charger_error: { status: 502, title: 'The charger responded with an error' },
  charger_invalid_answer: { status: 502, title: "The charger's response is invalid" },
  charger_disconnected: { status: 502, title: 'The charger disconnected' },
  unavailable: { status: 503, title: 'Temporarily unavailable' },
  charger_busy: { status: 503, title: 'Too many commands are queued for the charger' },
  charger_timeout: { status: 504, title: 'The charger did not respond in time' },
};

/** The codes that clients can get. */
export const CLIENT_ERROR_CODES = (Object.keys(API_ERRORS) as ErrorCode[]).filter(
  (code) => code !== 'invalid_configuration',
);
