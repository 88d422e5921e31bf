// What the formats of an authorization endpoint ask, and what its responses mean. Pure.
import { parseJson } from '@busbar/core';
import { MAX_ID_TAG, type TagVerdict } from '../tags/tag';
import { toTimestamp, type Timestamp } from '../timestamp';
import type { AuthorizationFormat } from './authorization-endpoint';

/** Why a tag is judged: the driver presents it, or a session begins with it, locally or by a command; or its owner tries the endpoint. */
export type AuthorizationAction = 'authorize' | 'start' | 'remote_start' | 'test';

export interface TagQuestion {
  readonly chargerId: string;
  readonly siteId: number;
  /** Null where the charger does not say it. */
  readonly socketId: number | null;
  /** As the charger sent it. */
  readonly rfidTag: string;
  readonly action: AuthorizationAction;
}

/** What an endpoint can say of a tag. */
export type AuthorizationVerdict = Exclude<TagVerdict, 'in_use' | 'not_yet_valid'>;

export interface EndpointVerdict {
  readonly verdict: AuthorizationVerdict;
  readonly parentIdTag?: string;
  readonly expiresAt?: Timestamp;
  /** Seconds for which the endpoint lets its verdict be used again. */
  readonly validForS?: number;
}

export type EndpointResult = EndpointVerdict | { readonly error: string };

/** The part of an HTTP response that is judged. */
export interface EndpointResponse {
  readonly status: number;
  readonly body: string;
  /** The body was longer than what is read. */
  readonly truncated: boolean;
}

/** Bytes of a response. */
export const MAX_AUTHORIZATION_BYTES = 16_384;

/** `2026-01-31` */
const DATE_LENGTH = 10;

const STANDARD_REASONS: Readonly<Record<string, AuthorizationVerdict>> = {
  unknown: 'unknown',
  blocked: 'blocked',
  expired: 'expired',
  not_allowed_here: 'not_allowed_here',
  no_credit: 'no_credit',
};

const PUSH_REASONS: Readonly<Record<string, AuthorizationVerdict>> = {
  EXPIRED_RFID_TAG_ID: 'expired',
  UNAUTHORIZED_RFID_TAG_ID: 'blocked',
};

/** The body of the request, as JSON. `deadline`: the response is of no use afterwards. */
export function authorizationRequest(
  format: AuthorizationFormat,
  question: TagQuestion,
  { at, deadline }: { readonly at: Date; readonly deadline: Date },
): string {
  const { chargerId, siteId, socketId, rfidTag, action } = question;
  if (format === 'push') return JSON.stringify({ charger_id: chargerId, rfid_tag_id: rfidTag });
  const data = { chargerId, siteId, socketId, rfidTag, action, deadline: toTimestamp(deadline) };
  return JSON.stringify({ type: 'tag.authorize', timestamp: toTimestamp(at), data });
}

/** A response without a verdict gives the code of its error. Optional fields that are malformed count as absent. */
export function endpointResultOf(format: AuthorizationFormat, response: EndpointResponse): EndpointResult {
  const { status, body, truncated } = response;
  if (status >= 300 && status <= 399) return { error: 'redirect' };
  if (status !== 200) return { error: `http_${String(status)}` };
  if (truncated) return { error: 'too_large' };
  const parsed = parseJson(body);
  if (typeof parsed !== 'object' || parsed === null) return { error: 'no_json' };
  const fields = parsed as Readonly<Record<string, unknown>>;
  return format === 'push' ? pushResultOf(fields) : standardResultOf(fields);
}

function pushResultOf({ charging_allowed: allowed, reason }: Readonly<Record<string, unknown>>): EndpointResult {
  if (typeof allowed !== 'boolean') return { error: 'no_verdict' };
  return { verdict: allowed ? 'accepted' : refusalOf(PUSH_REASONS, reason) };
}

function standardResultOf(fields: Readonly<Record<string, unknown>>): EndpointResult {
  const { allowed, reason, parentIdTag, expiresAt, validForS } = fields;
  if (typeof allowed !== 'boolean') return { error: 'no_verdict' };
  return {
    verdict: allowed ? 'accepted' : refusalOf(STANDARD_REASONS, reason),
    ...(isParent(parentIdTag) ? { parentIdTag } : {}),
    ...(isTime(expiresAt) ? { expiresAt: toTimestamp(new Date(expiresAt)) } : {}),
    ...(isDuration(validForS) ? { validForS } : {}),
  };
}

function refusalOf(reasons: Readonly<Record<string, AuthorizationVerdict>>, reason: unknown): AuthorizationVerdict {
  if (typeof reason !== 'string' || !Object.hasOwn(reasons, reason)) return 'unknown';
  return reasons[reason] ?? 'unknown';
}

function isParent(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= MAX_ID_TAG;
}

function isTime(value: unknown): value is string {
  // `Date` reads far more than RFC 3339.
  return typeof value === 'string' && value.indexOf('T') === DATE_LENGTH && !Number.isNaN(Date.parse(value));
}

function isDuration(value: unknown): value is number {
  return typeof value === 'number' && value >= 0;
}
