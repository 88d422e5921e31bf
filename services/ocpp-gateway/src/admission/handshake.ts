// Reads an upgrade request: identity, subprotocol, credentials. Pure; decisions that need the store are made elsewhere.
import type { IncomingMessage } from 'node:http';
import { decodeComponent, splitTarget } from '@busbar/http';
import { allowedVersions, NO_DEVIATIONS, type DeviationKind } from '@busbar/ocpp';

/** Exceeds every identity that can be registered, also when every character is percent-encoded. */
const MAX_ENCODED_IDENTITY = 160;
const PREFIX = '/ocpp/';

export type IdentityReading =
  | { readonly ok: true; readonly chargerId: string; readonly deviations: readonly DeviationKind[] }
  /** 404: not a charger's path; 400: invalid percent-encoding. */
  | { readonly ok: false; readonly status: 404 | 400 };

/** Returns whether a request asks for a websocket upgrade. Any other is an ordinary request (RFC 9110, 7.8). */
export function asksForWebsocket({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return (headers.upgrade ?? '').split(',').some((protocol) => protocol.trim().toLowerCase() === 'websocket');
}

/** Returns whether a request's target is below `/ocpp/`, with a valid identity or not. */
export function isChargerPath(url: string): boolean {
  return `${splitTarget(url).path}/`.startsWith(PREFIX);
}

/**
 * The charger's identity from the request's path (rules 5 and 6): query stripped, exactly one segment, decoded. One empty
 * segment before it is tolerated where not strict: many chargers add a slash to their configured address (docs/adr/0017).
 */
export function readIdentity(url: string, { strict }: { readonly strict: boolean }): IdentityReading {
  const path = splitTarget(url).path;
  if (!path.startsWith(PREFIX)) return { ok: false, status: 404 };
  const rest = path.slice(PREFIX.length);
  const hasEmptySegment = !strict && rest.startsWith('/');
  const segment = hasEmptySegment ? rest.slice(1) : rest;
  if (segment === '' || segment.includes('/') || segment.length > MAX_ENCODED_IDENTITY) {
    return { ok: false, status: 404 };
  }
  const chargerId = decodeComponent(segment);
  if (chargerId === undefined) return { ok: false, status: 400 };
  return { ok: true, chargerId, deviations: hasEmptySegment ? ['empty_path_segment'] : NO_DEVIATIONS };
}

export type SubprotocolChoice =
  /** `versions`: all that were offered and are supported, most preferred first. */
  | { readonly kind: 'chosen'; readonly version: string; readonly versions: readonly string[] }
  /** The charger offered no subprotocol. */
  | { readonly kind: 'none_offered' }
  /** It offered only unsupported ones. */
  | { readonly kind: 'no_match' };

/** The offered subprotocols, in the charger's order. */
export function readSubprotocols(header: string | undefined): string[] {
  return (header ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** One of the offered subprotocols, by our order of preference, compared with case (rules 2 to 4). */
export function chooseSubprotocol(header: string | undefined, preference: readonly string[]): SubprotocolChoice {
  const offered = readSubprotocols(header);
  if (offered.length === 0) return { kind: 'none_offered' };
  return chosenOf(preference.filter((name) => offered.includes(name)));
}

/** The choice of a charger that may speak only some versions (rule 105). */
export function narrowChoice(choice: SubprotocolChoice, named: readonly string[] | undefined): SubprotocolChoice {
  return choice.kind === 'chosen' ? chosenOf(allowedVersions(choice.versions, named)) : choice;
}

function chosenOf(versions: readonly string[]): SubprotocolChoice {
  const [version] = versions;
  return version === undefined ? { kind: 'no_match' } : { kind: 'chosen', version, versions };
}

export type CredentialsReading =
  | { readonly kind: 'none' }
  | { readonly kind: 'invalid' }
  | { readonly kind: 'basic'; readonly username: string; readonly password: Buffer };

/**
 * The Basic header (RFC 7617) as bytes: a 1.6 key is 20 arbitrary bytes, so only the username is text. The first colon ends the
 * username. So a password may contain a colon, and an identity that uses Basic may not (rules 8 and 12).
 */
export function readCredentials(header: string | undefined): CredentialsReading {
  if (header === undefined) return { kind: 'none' };
  const match = /^basic ([A-Za-z0-9+/]+={0,2})$/i.exec(header.trim());
  if (match?.[1] === undefined) return { kind: 'invalid' };
  const bytes = Buffer.from(match[1], 'base64');
  const colon = bytes.indexOf(0x3a);
  if (colon < 1) return { kind: 'invalid' };
  return { kind: 'basic', username: bytes.toString('utf8', 0, colon), password: bytes.subarray(colon + 1) };
}

/** Returns whether a Basic username is this identity, plain or percent-encoded (rule 5). */
export function isSameIdentity(username: string, chargerId: string): boolean {
  return username === chargerId || decodeComponent(username) === chargerId;
}
