// THE table of errors of both APIs: status, title, meaning and action of each code. The error pages of the v2 API show it, and
// docs/errors.md lists the same.
import type { ErrorCode } from '@busbar/core';

export interface ErrorDefinition {
  readonly status: number;
  readonly title: string;
  /** When it occurs. `code` in backticks. */
  readonly meaning: string;
  /** The action that the client can take. `code` in backticks. */
  readonly action: string;
}

export const API_ERRORS: Readonly<Record<ErrorCode, ErrorDefinition>> = {
  invalid_request: {
    status: 400,
    title: 'The request is invalid',
    meaning:
      'A parameter or the body is missing or invalid, or a query parameter or body field is unknown, or a cursor is of another query.',
    action: 'Correct what `errors` lists, then send the request again.',
  },
  invalid_json: {
    status: 400,
    title: 'The body is not valid JSON',
    meaning: 'The body is not JSON in UTF-8, or is truncated.',
    action: 'Send valid JSON in UTF-8.',
  },
  invalid_charger_id: {
    status: 400,
    title: 'The chargerId is invalid',
    meaning:
      'The id is not 1 to 48 characters of `A–Z a–z 0–9 _ - . : * + = @ ~` or the vertical bar, or it is `.`, `..` or `state-time-series`.',
    action: 'Register the charger with an id of these characters, and configure the same id in the charger.',
  },
  invalid_site_id: {
    status: 400,
    title: 'The site is unknown',
    meaning: "The site id is not an integer, unknown, or another client's.",
    action: 'Use the `id` of a site in `GET /v2/sites`.',
  },
  invalid_webhook_url: {
    status: 400,
    title: 'The URL is not accepted',
    meaning:
      'The URL of a webhook or endpoint is not `https:`, or has a user name, a fragment, a reserved port, or a host or address that is not public.',
    action: 'Use a URL that a server on the internet can reach. `detail` names the reason.',
  },
  unauthenticated: {
    status: 401,
    title: 'The API key is missing or invalid',
    meaning: 'The API key is missing, unknown, expired, revoked, or not of that `clientId` (v1 API).',
    action: 'Send a valid key in the header `x-api-key`, or as `Authorization: Bearer`.',
  },
  https_required: {
    status: 403,
    title: 'HTTPS is required',
    meaning: 'The request was sent over plain HTTP.',
    action: 'Use https, and replace a key that was sent this way.',
  },
  forbidden: {
    status: 403,
    title: 'The API key lacks a permission',
    meaning: 'The API key lacks the permission that `detail` names. A key can grant only its own permissions.',
    action: 'Use a key with this permission, or ask its owner for one.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    meaning: 'The path does not exist, or this client has no such record.',
    action: 'Compare the path with the documentation, and the id with the list of such records.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    meaning: 'The path exists, but not with this method.',
    action: 'Use one of the methods in the header `Allow`.',
  },
  not_acceptable: {
    status: 406,
    title: 'The response is an event stream',
    meaning:
      'The header `Accept` names neither `text/event-stream` nor `*/*`, and the response is a stream of server-sent events.',
    action: 'Send `accept: text/event-stream`.',
  },
  conflict: {
    status: 409,
    title: 'Conflict with the current state',
    meaning:
      '`detail` names the conflict: too many API keys, webhooks or sockets, a session that has ended, or concurrent changes.',
    action: 'Read the record again. Retry only if the change still applies.',
  },
  webhook_disabled: {
    status: 409,
    title: 'The webhook is disabled',
    meaning: 'The webhook is disabled, by its owner or because its receiver failed. Nothing was sent.',
    action: 'Correct the receiver, then enable the webhook: `PATCH /v2/webhooks/{webhookId}` with `{"enabled": true}`.',
  },
  charger_id_taken: {
    status: 409,
    title: 'The chargerId is taken',
    meaning: 'A charger of any client has this id: ids are unique across the whole service.',
    action: 'Choose another id. If the charger is yours, read it with `GET /v2/chargers/{chargerId}`.',
  },
  site_required: {
    status: 409,
    title: 'The client has no site',
    meaning: 'A charger belongs to a site, and the client has none.',
    action: 'Create a site with `POST /v2/sites` first.',
  },
  site_not_empty: {
    status: 409,
    title: 'The site is not empty',
    meaning: 'The site contains chargers or other sites.',
    action: 'Move or delete them first.',
  },
  site_circle: {
    status: 409,
    title: 'A site cannot be below itself',
    meaning: 'The new parent is the site itself or below it.',
    action: 'Choose a parent outside the site.',
  },
  tag_exists: {
    status: 409,
    title: 'The tag exists already',
    meaning: 'A tag with this idTag exists, compared without case.',
    action: 'Change the existing tag with `PATCH /v2/tags/{idTag}`.',
  },
  tag_unknown: {
    status: 409,
    title: 'The tag is unknown',
    meaning: 'The client has no such tag. Only where the request asks for validation.',
    action: 'Create the tag with `POST /v2/tags`, or do not ask for validation.',
  },
  tag_blocked: {
    status: 409,
    title: 'The tag is blocked',
    meaning: 'The tag is blocked. The remote start was not sent.',
    action: 'Unblock the tag with `PATCH /v2/tags/{idTag}`, or use another one.',
  },
  tag_expired: {
    status: 409,
    title: 'The tag has expired',
    meaning: 'The tag has expired. The remote start was not sent.',
    action: 'Extend `expiringDate` of the tag, or use another one.',
  },
  tag_not_yet_valid: {
    status: 409,
    title: 'The tag is not valid yet',
    meaning: "The tag's start date is in the future. Only where the request asks for validation.",
    action: 'Wait for `startDate` of the tag, change it, or use another tag.',
  },
  tag_in_use: {
    status: 409,
    title: 'The tag is in use',
    meaning: 'The tag is in use at another socket. Only where the request asks for validation.',
    action: 'Wait for the end of the other session, or stop it.',
  },
  tag_refused: {
    status: 409,
    title: 'The tag was refused by the endpoint',
    meaning:
      "The client's endpoint for real-time authorization refused the tag. Only where the request asks for validation.",
    action: 'Use another tag, or do not ask for validation.',
  },
  transaction_ended: {
    status: 409,
    title: 'The transaction has ended',
    meaning: 'The transaction can no longer be stopped.',
    action: 'Nothing: the session is over. `GET /v2/sessions/{transactionId}` shows how it ended.',
  },
  charger_offline: {
    status: 409,
    title: 'The charger is not connected',
    meaning: 'The charger has no connection. The response comes at once, and nothing was sent.',
    action:
      'Retry when `activeConnection` of the charger is true. `GET /v2/connection-attempts` lists why connections were rejected.',
  },
  not_supported_by_version: {
    status: 409,
    title: "The charger's OCPP version does not support this",
    meaning: "The charger's OCPP version has no such operation, or not with these values.",
    action: 'Use another operation or other values. `ocppVersion` of the charger names its version.',
  },
  idempotency_key_reused: {
    status: 409,
    title: 'The Idempotency-Key was used for another request',
    meaning:
      'The same client used it within 24 hours for another path, body or `If-Match`; or another API key used it where the response contains a secret. Use a new key.',
    action: 'Use a new key for each new request, and repeat a request unchanged.',
  },
  request_in_progress: {
    status: 409,
    title: 'The first request with this Idempotency-Key is in progress',
    meaning: 'The first request with this Idempotency-Key is still in progress.',
    action: 'Retry after `Retry-After` seconds to get its response.',
  },
  cursor_expired: {
    status: 410,
    title: 'The cursor has expired',
    meaning: 'The cursor of the feed is older than the oldest stored event, or of before a restore of a backup.',
    action: 'Read the records that you keep a copy of again, then continue with the cursor `oldest` of the response.',
  },
  precondition_failed: {
    status: 412,
    title: 'The record has changed',
    meaning: '`If-Match` names another version than the stored one.',
    action: 'Read the record again, apply the change to it, and send its new ETag.',
  },
  body_too_large: {
    status: 413,
    title: 'The body is too large',
    meaning: 'The body has more than 100,000 bytes after decompression, or an import of tags more than 4,000,000.',
    action: 'Send a smaller body, or several requests.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'The body must be JSON',
    meaning: 'The body is not declared as JSON, or has an unsupported encoding.',
    action: 'Send `content-type: application/json`. Encodings are gzip, deflate and br.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    meaning:
      'Too many requests of this key, this client, or this address without a valid key (instead of 401); or too many concurrent long responses or open streams.',
    action: 'Retry after `Retry-After` seconds. `RateLimit` shows what remains.',
  },
  internal: {
    status: 500,
    title: 'Internal error',
    meaning: 'An unexpected failure of the service. A change may have taken effect.',
    action: 'Report `requestId` to the operator, who finds it in the log. Read the record before you repeat a change.',
  },
  // An operator's error: clients get `internal`.
  invalid_configuration: {
    status: 500,
    title: 'Internal error',
    meaning: 'An unexpected failure of the service. A change may have taken effect.',
    action: 'Report `requestId` to the operator, who finds it in the log. Read the record before you repeat a change.',
  },
  charger_error: {
    status: 502,
    title: 'The charger responded with an error',
    meaning:
      'The charger responded with an error of OCPP. Its code and description are in `chargerError` and in `detail`.',
    action: 'Read the description. The charger refused this command, or cannot execute it now.',
  },
  charger_invalid_answer: {
    status: 502,
    title: "The charger's response is invalid",
    meaning: 'The response violates its OCPP version. The outcome of the command is unknown.',
    action:
      "Read the charger's state before you repeat the command. `GET /v2/commands/{commandId}` has what was stored.",
  },
  charger_disconnected: {
    status: 502,
    title: 'The charger disconnected',
    meaning: 'The connection closed before the response. The outcome of the command is unknown.',
    action:
      "Read the charger's state before you repeat the command. `GET /v2/commands/{commandId}` has what was stored.",
  },
  unavailable: {
    status: 503,
    title: 'Temporarily unavailable',
    meaning: 'The store or the broker is unavailable.',
    action: 'Retry after `Retry-After` seconds. Before you repeat a change, read whether it took effect.',
  },
  charger_busy: {
    status: 503,
    title: 'Too many commands are queued for the charger',
    meaning: 'The queue of the charger is full, or the command waited too long in it. It was not sent.',
    action: 'Retry after `Retry-After` seconds.',
  },
  charger_timeout: {
    status: 504,
    title: 'The charger did not respond in time',
    meaning: 'The charger did not respond in time. The outcome of the command is unknown.',
    action: "Read the charger's state before you repeat the command. `?timeoutS=60` waits longest.",
  },
};

/** The codes that clients can get. */
export const CLIENT_ERROR_CODES = (Object.keys(API_ERRORS) as ErrorCode[]).filter(
  (code) => code !== 'invalid_configuration',
);
