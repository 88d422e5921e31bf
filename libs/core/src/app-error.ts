// The one error that crosses package borders. It contains no HTTP status and no OCPP code: every edge has an exhaustive
// table from `ErrorCode` to its own response. A new code does not compile until each edge has its row.

export type ErrorCode =
  | 'invalid_request'
  | 'invalid_json'
  | 'invalid_charger_id'
  | 'invalid_site_id'
  | 'invalid_webhook_url'
  | 'invalid_configuration'
  | 'unsupported_media_type'
  | 'body_too_large'
  | 'https_required'
  | 'unauthenticated'
  | 'forbidden'
  | 'rate_limited'
  | 'not_found'
  | 'method_not_allowed'
  | 'not_acceptable'
  | 'conflict'
  | 'webhook_disabled'
  | 'charger_id_taken'
  | 'site_required'
  | 'site_not_empty'
  | 'site_circle'
  | 'tag_exists'
  | 'tag_unknown'
  | 'tag_blocked'
  | 'tag_expired'
  | 'tag_not_yet_valid'
  | 'tag_in_use'
  | 'tag_refused'
  | 'transaction_ended'
  | 'cursor_expired'
  | 'charger_offline'
  | 'not_supported_by_version'
  | 'idempotency_key_reused'
  | 'request_in_progress'
  | 'charger_error'
  | 'charger_invalid_answer'
  | 'charger_disconnected'
  | 'charger_busy'
  | 'charger_timeout'
  | 'precondition_failed'
  | 'unavailable'
  | 'internal';

export interface AppErrorOptions {
  /** Facts that the caller may see: paths, seconds to wait. Never a secret, a query or another client's data. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** An expected failure with a code from the closed list and a message for the caller. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.details = options.details ?? {};
  }
}

/** Returns whether it is an `AppError`, with that code where one is given. */
export function isAppError(error: unknown, code?: ErrorCode): error is AppError {
  return error instanceof AppError && (code === undefined || error.code === code);
}

/** The message of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
