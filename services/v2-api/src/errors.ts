// THE table of this API's errors: what each code of the service is to a client. docs/errors.md lists the same.
import type { ErrorCode } from '@busbar/core';
import { issuesOf, type ErrorFacts, type ErrorPresenter } from '@busbar/http';

interface Answer {
  readonly status: number;
  readonly title: string;
}

export const V2_ERRORS: Readonly<Record<ErrorCode, Answer>> = {
  invalid_request: { status: 400, title: 'The request is invalid' },
  invalid_json: { status: 400, title: 'The body is not valid JSON' },
  invalid_charger_id: { status: 400, title: 'The chargerId is invalid' },
  invalid_site_id: { status: 400, title: 'The site is unknown' },
  unauthenticated: { status: 401, title: 'The API key is missing or wrong' },
  https_required: { status: 403, title: 'HTTPS is required' },
  forbidden: { status: 403, title: 'The API key lacks a permission' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  conflict: { status: 409, title: 'This contradicts what there is' },
  charger_id_taken: { status: 409, title: 'The chargerId is taken' },
  site_required: { status: 409, title: 'A site is required first' },
  site_not_empty: { status: 409, title: 'The site is not empty' },
  site_circle: { status: 409, title: 'Sites would form a circle' },
  tag_exists: { status: 409, title: 'The tag is there already' },
  tag_unknown: { status: 409, title: 'The tag is unknown' },
  tag_blocked: { status: 409, title: 'The tag is blocked' },
  tag_expired: { status: 409, title: 'The tag has expired' },
  tag_not_yet_valid: { status: 409, title: 'The tag is not valid yet' },
  tag_in_use: { status: 409, title: 'The tag is in use' },
  transaction_ended: { status: 409, title: 'The transaction has ended' },
  charger_offline: { status: 409, title: 'The charger is not connected' },
  not_supported_by_version: { status: 409, title: "The charger's OCPP version cannot do this" },
  idempotency_key_reused: { status: 409, title: 'The Idempotency-Key was used for another request' },
  request_in_progress: { status: 409, title: 'The first request with this Idempotency-Key is under way' },
  precondition_failed: { status: 412, title: 'It has changed in the meantime' },
  body_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'The body must be JSON' },
  rate_limited: { status: 429, title: 'Too many requests' },
  internal: { status: 500, title: 'Something went wrong' },
  // An operator's error, which no client gets to see: createApp answers it as `internal`.
  invalid_configuration: { status: 500, title: 'Something went wrong' },
  charger_error: { status: 502, title: 'The charger answered with an error' },
  charger_invalid_answer: { status: 502, title: 'The charger answered what it must not' },
  charger_disconnected: { status: 502, title: 'The charger was disconnected' },
  unavailable: { status: 503, title: 'Not available just now' },
  charger_busy: { status: 503, title: 'Commands are waiting for the charger' },
  charger_timeout: { status: 504, title: 'The charger did not answer in time' },
};

const CODES = (Object.keys(V2_ERRORS) as ErrorCode[]).filter((code) => code !== 'invalid_configuration');

export const problemSchema = {
  title: 'Problem',
  description: 'An error as of RFC 9457.',
  type: 'object',
  properties: {
    type: { type: 'string', description: '`urn:busbar:error:` and the code.' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    instance: { type: 'string', description: 'The path that was asked for.' },
    code: { type: 'string', enum: CODES },
    requestId: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        properties: { path: { type: 'string' }, message: { type: 'string' } },
        required: ['path', 'message'],
        additionalProperties: false,
      },
    },
    commandId: { type: 'string', description: 'Of a command alone: what it is recorded as.' },
    chargerError: {
      type: 'object',
      description: 'Of `charger_error` alone: what the charger itself said.',
      properties: { code: { type: 'string' }, description: { type: 'string' } },
      required: ['code', 'description'],
      additionalProperties: false,
    },
  },
  required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'requestId', 'errors'],
  additionalProperties: false,
} as const;

export const v2ErrorPresenter: ErrorPresenter = {
  contentType: 'application/problem+json; charset=utf-8',
  schema: problemSchema,
  statusOf: (code) => V2_ERRORS[code].status,
  nameOf: (code) => code,
  bodyOf: problemOf,
};

const SHOWN_PATH = 500;

function problemOf({ error, requestId, path }: ErrorFacts): object {
  const { status, title } = V2_ERRORS[error.code];
  return {
    type: `urn:busbar:error:${error.code}`,
    title,
    status,
    detail: error.message,
    instance: path.slice(0, SHOWN_PATH),
    code: error.code,
    requestId,
    errors: issuesOf(error),
    ...(typeof error.details['commandId'] === 'string' ? { commandId: error.details['commandId'] } : {}),
    ...(error.code === 'charger_error' ? { chargerError: error.details['chargerError'] } : {}),
  };
}
