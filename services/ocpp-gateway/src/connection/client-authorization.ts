// What a connection knows of its client's endpoint for real-time authorization: the terms, and verdicts that may be used again.
import type { AdmissionAnswer, AuthorizationTerms, EnvelopeAuthorization } from '@busbar/contracts';
import { LRUCache } from 'lru-cache';

export interface ClientAuthorization {
  readonly clientId: string;
  /** As of the admission. */
  readonly siteId: number;
  /** Undefined: the client has no enabled endpoint. */
  terms: AuthorizationTerms | undefined;
  /** By tag, in lower case. Undefined until there is one. */
  verdicts: LRUCache<string, ReusableVerdict> | undefined;
}

export interface ReusableVerdict {
  readonly authorization: EnvelopeAuthorization;
  /** Monotonic milliseconds. */
  readonly untilMs: number;
}

/** Tags of one connection. */
const MAX_VERDICTS = 8;

export function clientAuthorizationOf({
  clientId,
  siteId,
  authorization,
}: Extract<AdmissionAnswer, { outcome: 'accept' }>): ClientAuthorization | undefined {
  if (clientId === undefined || siteId === undefined) return undefined;
  return { clientId, siteId, terms: authorization, verdicts: undefined };
}

/** A change of the settings ends the verdicts that were given under the former ones. */
export function changeTerms(authorization: ClientAuthorization, terms: AuthorizationTerms | undefined): void {
  if (authorization.terms?.revision === terms?.revision) return;
  authorization.terms = terms;
  authorization.verdicts = undefined;
}

export function keepVerdict(authorization: ClientAuthorization, rfidTag: string, verdict: ReusableVerdict): void {
  authorization.verdicts ??= new LRUCache({ max: MAX_VERDICTS });
  authorization.verdicts.set(keyOf(rfidTag), verdict);
}

/** The verdict on a tag that is still valid. */
export function keptVerdict(
  { verdicts }: ClientAuthorization,
  rfidTag: string,
  nowMs: number,
): EnvelopeAuthorization | undefined {
  const kept = verdicts?.get(keyOf(rfidTag));
  return kept !== undefined && nowMs < kept.untilMs ? kept.authorization : undefined;
}

/** Returns whether the endpoint is for chargers at the site of this one. */
export function appliesHere({ siteId, terms }: ClientAuthorization): boolean {
  return terms !== undefined && (terms.siteIds === undefined || terms.siteIds.includes(siteId));
}

/** Tags are compared without case (OCPP 1.6 CiString20Type). */
function keyOf(rfidTag: string): string {
  return rfidTag.toLowerCase();
}
