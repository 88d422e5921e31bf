// An example of each error for the OpenAPI documents of both APIs.
import { AppError, type ErrorCode } from '@busbar/core';
import type { ErrorFacts } from '@busbar/http';

interface ErrorExample {
  readonly message: string;
  /** Below the base path. Default: a charger. */
  readonly path?: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

const CHARGER = '/chargers/ACME_1';
const COMMAND = { path: `${CHARGER}/start-charging`, details: { commandId: '01JAX5Z3V8Q2M7R4T6W9Y0BCDE' } };
const SITE = '/sites/1';
const UNKNOWN_OUTCOME = 'Whether it executed the command is unknown.';

const EXAMPLES: Readonly<Record<ErrorCode, ErrorExample>> = {
  invalid_request: issue('/name', 'is required', 'name is required.'),
  invalid_json: { message: 'The body is not valid JSON. Send JSON in UTF-8.' },
  invalid_charger_id: issue(
    '/chargerId',
    'cannot be registered: a chargerId has 1 to 48 of the characters A-Z a-z 0-9 _ - . : * + = @ | ~',
    'chargerId cannot be registered: a chargerId has 1 to 48 of the characters A-Z a-z 0-9 _ - . : * + = @ | ~.',
  ),
  invalid_site_id: issue('/siteId', 'is no site of this client', 'There is no site (group) 7.'),
  unauthenticated: { message: 'The API key is missing or invalid.' },
  https_required: { message: 'This service needs HTTPS. Replace a key that was sent over plain HTTP.' },
  forbidden: { message: 'This API key lacks the permission chargers:write.' },
  not_found: { message: 'There is no charger ACME_1.' },
  method_not_allowed: { message: 'This path has only GET, PATCH, DELETE.' },
  not_acceptable: {
    message: 'This response is text/event-stream, which the header Accept does not name.',
    path: '/events/stream',
  },
  cursor_expired: {
    message: 'This cursor is older than the oldest stored event, or of before a restore. Continue with oldest.',
    path: '/events',
    details: { oldest: 'AYDdPqcN1N1ZAgAAAAA' },
  },
  conflict: { message: 'The charger is being changed by others. Try again.' },
  charger_id_taken: {
    message: 'This chargerId is taken. It must be unique across the whole service.',
    path: '/chargers',
  },
  site_required: {
    message: 'This client has no site, and a charger belongs to one. Create a site, then create the charger again.',
    path: '/chargers',
  },
  site_not_empty: {
    message: 'This site (group) contains 1 chargers and 0 sites: move or delete them first.',
    path: SITE,
  },
  site_circle: { message: 'Site (group) 2 is the site itself or below it.', path: SITE },
  invalid_webhook_url: {
    message: 'The URL must begin with https://.',
    path: '/real-time-authorization',
  },
  webhook_disabled: {
    message: 'The webhook wh_01jax5z3v1c4e6g8j0m2p4r6tv is disabled. Enable it with PATCH and {"enabled": true} first.',
    path: '/webhooks/wh_01jax5z3v1c4e6g8j0m2p4r6tv/test',
  },
  tag_exists: {
    message: 'There is a tag 04E91C5A123B80 already. Tags are compared without case.',
    path: '/tags',
  },
  tag_unknown: { ...COMMAND, message: 'This RFID tag is unknown.' },
  tag_blocked: { ...COMMAND, message: 'This RFID tag is blocked.' },
  tag_expired: { ...COMMAND, message: 'This RFID tag has expired.' },
  tag_not_yet_valid: { ...COMMAND, message: 'This RFID tag is not valid yet.' },
  tag_in_use: { ...COMMAND, message: 'This RFID tag has a session in progress at another socket.' },
  tag_refused: { ...COMMAND, message: 'The endpoint for real-time authorization refused this RFID tag.' },
  transaction_ended: { ...COMMAND, message: 'The transaction 1 has ended already.' },
  charger_offline: { ...COMMAND, message: 'The charger ACME_1 is not connected.' },
  not_supported_by_version: { ...COMMAND, message: 'The charger speaks ocpp1.6, which has no such operation.' },
  idempotency_key_reused: {
    message:
      'This client used this Idempotency-Key for another request within 24 hours. Use a new key for each new request.',
  },
  request_in_progress: {
    message:
      'The first request with this Idempotency-Key is still in progress. Retry after the seconds in Retry-After.',
  },
  precondition_failed: { message: 'The charger was changed in the meantime. Read it again, then change it.' },
  body_too_large: { message: 'The body is too large. Send at most 100000 bytes.' },
  unsupported_media_type: { message: 'The content type is text/plain. Send application/json in UTF-8.' },
  rate_limited: { message: 'Too many requests with this API key. Retry after the seconds in Retry-After.' },
  internal: { message: 'The service failed unexpectedly. Report the request id to its operator.' },
  invalid_configuration: { message: 'The service failed unexpectedly. Report the request id to its operator.' },
  charger_error: {
    ...COMMAND,
    message: 'The charger answered with the error InternalError: The relay does not respond',
    details: {
      ...COMMAND.details,
      chargerError: { code: 'InternalError', description: 'The relay does not respond' },
    },
  },
  charger_invalid_answer: { ...COMMAND, message: "The charger's answer violates OCPP: status is required" },
  charger_disconnected: {
    ...COMMAND,
    message: `The connection was lost before the charger answered. ${UNKNOWN_OUTCOME}`,
  },
  unavailable: { message: 'The service is temporarily unavailable. Retry after the seconds in Retry-After.' },
  charger_busy: { ...COMMAND, message: 'Too many commands wait for this charger. This one was not sent.' },
  charger_timeout: { ...COMMAND, message: `The charger did not answer in time. ${UNKNOWN_OUTCOME}` },
};

/** An example of the error, as a presenter takes it. */
export function errorExample(code: ErrorCode, basePath: string): ErrorFacts {
  const { message, path = CHARGER, details = {} } = EXAMPLES[code];
  return {
    error: new AppError(code, message, { details }),
    requestId: '01JAX5Z3V0H5K8N2P4S6T8VWXY',
    path: `${basePath}${path}`,
  };
}

function issue(path: string, message: string, sentence: string): ErrorExample {
  return { message: sentence, path: '/chargers', details: { issues: [{ path, message }] } };
}
