// Which headers the answers of a route carry, for its document: what `serve-route.ts`, `answer.ts` and `idempotency.ts` send.
import type { ErrorCode } from '@busbar/core';
import { NOTHING_KNOWN } from '../routing/idempotency';
import { REQUEST_ID_PATTERN } from '../routing/request-id';
import type { Route } from '../routing/route';

interface DocumentedHeader {
  readonly description: string;
  /** Wherever it is told of it is there. */
  readonly required?: boolean;
  readonly example?: string;
  readonly schema: object;
}

export type HeaderName = keyof typeof HEADERS;

export const HEADERS = {
  'x-request-id': {
    description: "The caller's own, where it sent one that is fit for it, else a new one. It is in our log.",
    required: true,
    schema: { type: 'string', pattern: REQUEST_ID_PATTERN },
  },
  'RateLimit-Policy': {
    description:
      'How many requests (`q`) the key, and all keys of its client together, have for a window of `w` seconds. Each process of the API counts by itself.',
    example: '"key";q=200;w=2, "client";q=800;w=2',
    schema: { type: 'string', pattern: '^"key";q=\\d+;w=\\d+, "client";q=\\d+;w=\\d+$' },
  },
  RateLimit: {
    description:
      'How many requests the key, and all keys of its client together, have left (`r`), and in how many seconds all are back (`t`). A request refused for its key names the key alone.',
    example: '"key";r=199;t=1, "client";r=799;t=1',
    schema: { type: 'string', pattern: '^"key";r=\\d+;t=\\d+(?:, "client";r=\\d+;t=\\d+)?$' },
  },
  'Retry-After': {
    description: 'Seconds to wait before the request is sent again.',
    schema: { type: 'integer', minimum: 1 },
  },
  'WWW-Authenticate': {
    description: 'How a key is shown.',
    required: true,
    schema: { type: 'string' },
  },
  Allow: {
    description: 'The methods that the path has.',
    required: true,
    schema: { type: 'string' },
  },
  ETag: { description: 'The version of what a client can change of the record.', schema: { type: 'string' } },
  'Idempotency-Replayed': {
    description: 'This is the answer to an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', enum: ['true'] },
  },
} as const satisfies Record<string, DocumentedHeader>;

/** Refused before a request of the key is counted. */
const UNCOUNTED: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['https_required', 'unauthenticated', 'forbidden']);
const TO_BE_RETRIED: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'rate_limited',
  'unavailable',
  'charger_busy',
  'request_in_progress',
  // A change that was lost to others.
  'conflict',
]);
/** What an answer says that is not kept for an `Idempotency-Key`, unless the route itself refuses with it. */
const UNKEPT: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  ...UNCOUNTED,
  'rate_limited',
  'body_too_large',
  'unsupported_media_type',
  'invalid_json',
  'idempotency_key_reused',
  'request_in_progress',
]);
/** Nor these, whoever refuses with them; a busy charger's answer names a time to come back. */
const NEVER_KEPT: ReadonlySet<ErrorCode> = new Set<ErrorCode>([...NOTHING_KNOWN, 'charger_busy']);

/** Of the answer with 200. */
export function headersOfSuccess<A>(route: Route<A>): readonly HeaderName[] {
  return [
    'x-request-id',
    ...(route.isPublic ? [] : (['RateLimit-Policy', 'RateLimit'] as const)),
    ...(route.isVersioned === true && route.endsRecord !== true ? (['ETag'] as const) : []),
    ...(route.acceptsIdempotencyKey === true ? (['Idempotency-Replayed'] as const) : []),
  ];
}

/** Of the answer that tells one of these codes. */
export function headersOfRefusal<A>(route: Route<A>, codes: readonly ErrorCode[]): readonly HeaderName[] {
  const isOwn = (code: ErrorCode): boolean => route.errors?.includes(code) === true;
  const isCounted = !route.isPublic && codes.some((code) => !UNCOUNTED.has(code) || isOwn(code));
  const isKept = codes.some((code) => !NEVER_KEPT.has(code) && (!UNKEPT.has(code) || isOwn(code)));
  return [
    'x-request-id',
    ...(isCounted ? (['RateLimit-Policy', 'RateLimit'] as const) : []),
    ...(codes.some((code) => TO_BE_RETRIED.has(code)) ? (['Retry-After'] as const) : []),
    ...(codes.includes('unauthenticated') ? (['WWW-Authenticate'] as const) : []),
    ...(route.acceptsIdempotencyKey === true && isKept ? (['Idempotency-Replayed'] as const) : []),
  ];
}

/** As a response of the document has them. */
export function headerReferences(names: readonly HeaderName[]): Readonly<Record<string, object>> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
