// The response headers of a route for its document, as `admit.ts`, `respond.ts` and `send-error.ts` send them.
import type { ErrorCode } from '@busbar/core';
import { UNKNOWN_OUTCOME } from '../routing/policy/idempotency';
import { isPaged } from '../routing/pagination/next-link';
import { REQUEST_ID_PATTERN } from '../routing/request/request-id';
import type { Route } from '../routing/route';

export interface DocumentedHeader {
  readonly description: string;
  /** Always sent where it is documented. */
  readonly required?: boolean;
  readonly example?: string | number;
  readonly schema: { readonly type: string; readonly [keyword: string]: unknown };
}

export type HeaderName = keyof typeof HEADERS;

export const HEADERS = {
  'x-request-id': {
    description: "The request's own id where it sent a valid one, else a new one. The service logs it.",
    required: true,
    example: '01JAX5Z3V0H5K8N2P4S6T8VWXY',
    schema: { type: 'string', pattern: REQUEST_ID_PATTERN },
  },
  'RateLimit-Policy': {
    description:
      'The quota (`q`) of requests in a window of `w` seconds, for the API key and for all keys of its client together. Each process of the API counts separately.',
    example: '"key";q=200;w=2, "client";q=800;w=2',
    schema: { type: 'string', pattern: '^"key";q=\\d+;w=\\d+, "client";q=\\d+;w=\\d+$' },
  },
  RateLimit: {
    description:
      'The remaining requests (`r`) and the seconds until the full quota is restored (`t`), for the API key and for all keys of its client together. A request that exceeds the quota of its key shows only that quota.',
    example: '"key";r=199;t=1, "client";r=799;t=1',
    schema: { type: 'string', pattern: '^"key";r=\\d+;t=\\d+(?:, "client";r=\\d+;t=\\d+)?$' },
  },
  'Retry-After': {
    description: 'Seconds to wait before a retry.',
    example: 1,
    schema: { type: 'integer', minimum: 1 },
  },
  'WWW-Authenticate': {
    description: 'The authentication scheme.',
    required: true,
    schema: { type: 'string' },
  },
  ETag: { description: 'The version of the fields that a client can change.', schema: { type: 'string' } },
  Link: {
    description:
      'The next page, as a reference relative to this server (RFC 8288). Absent on the last page, and where it would be longer than 8,000 characters.',
    example: '</v2/chargers?page=2>; rel="next"',
    schema: { type: 'string' },
  },
  'Idempotency-Replayed': {
    description: 'The response repeats that of an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', enum: ['true'] },
  },
} as const satisfies Record<string, DocumentedHeader>;

/** These precede the rate limit of the key. */
const UNCOUNTED: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['https_required', 'unauthenticated', 'forbidden']);
const RETRYABLE: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'rate_limited',
  'unavailable',
  'charger_busy',
  'request_in_progress',
  // A concurrent change.
  'conflict',
]);
/** Not stored for an `Idempotency-Key`, unless they come from the route's own rules. */
const NOT_STORED: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  ...UNCOUNTED,
  'rate_limited',
  'body_too_large',
  'unsupported_media_type',
  'invalid_json',
  'idempotency_key_reused',
  'request_in_progress',
]);
/** Never stored. `charger_busy` asks for a retry. */
const NEVER_STORED: ReadonlySet<ErrorCode> = new Set<ErrorCode>([...UNKNOWN_OUTCOME, 'charger_busy']);

/** Headers of the 200 response. */
export function headersOfSuccess<A>(route: Route<A>): readonly HeaderName[] {
  return [
    'x-request-id',
    ...(route.isPublic ? [] : (['RateLimit-Policy', 'RateLimit'] as const)),
    ...(route.isVersioned === true && route.endsRecord !== true ? (['ETag'] as const) : []),
    ...(isPaged(route) ? (['Link'] as const) : []),
    ...(route.acceptsIdempotencyKey === true ? (['Idempotency-Replayed'] as const) : []),
  ];
}

/** Headers of an error response with one of these codes. */
export function headersOfRefusal<A>(route: Route<A>, codes: readonly ErrorCode[]): readonly HeaderName[] {
  const isOwn = (code: ErrorCode): boolean => route.errors?.includes(code) === true;
  const isCounted = !route.isPublic && codes.some((code) => !UNCOUNTED.has(code) || isOwn(code));
  const isStored = codes.some((code) => !NEVER_STORED.has(code) && (!NOT_STORED.has(code) || isOwn(code)));
  return [
    'x-request-id',
    ...(isCounted ? (['RateLimit-Policy', 'RateLimit'] as const) : []),
    ...(codes.some((code) => RETRYABLE.has(code)) ? (['Retry-After'] as const) : []),
    ...(codes.includes('unauthenticated') ? (['WWW-Authenticate'] as const) : []),
    ...(route.acceptsIdempotencyKey === true && isStored ? (['Idempotency-Replayed'] as const) : []),
  ];
}
