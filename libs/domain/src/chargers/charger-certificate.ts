// Certificates that the service's own authority signed for chargers, and what ties one to a registration.
import type { Timestamp } from '../timestamp';

/** As kept of each certificate until it expires: what an operator needs in order to revoke it. */
export interface ChargerCertificate {
  /** Hexadecimal, lower case. */
  readonly serialNumber: string;
  readonly chargerId: string;
  /** The registration that it was signed for. */
  readonly incarnationId: string;
  readonly issuedAt: Timestamp;
  readonly notAfter: Timestamp;
}

export interface ChargerCertificates {
  /** One that is there already is success. */
  keep(certificate: ChargerCertificate): Promise<void>;
  /** Those of a charger id, the newest first, of earlier registrations too. */
  list(chargerId: string): Promise<ChargerCertificate[]>;
}

/** A registration that has so many unexpired ones gets no more. */
const MAX_CERTIFICATES_PER_REGISTRATION = 100;

/** Kept of one charger id at most, whatever registrations they were signed for: a deletion does not make room for more. */
export const MAX_CERTIFICATES_PER_CHARGER_ID = 1_000;

/** Whether a registration may get one more, beside the unexpired ones of its charger id. */
export function hasRoomForCertificate(
  kept: readonly Pick<ChargerCertificate, 'incarnationId'>[],
  incarnationId: string,
): boolean {
  const own = kept.filter((certificate) => certificate.incarnationId === incarnationId);
  return own.length < MAX_CERTIFICATES_PER_REGISTRATION && kept.length < MAX_CERTIFICATES_PER_CHARGER_ID;
}

const INCARNATION_PREFIX = 'urn:busbar:incarnation:';

/** The alternative name (kind URI) that every certificate of the service's own authority carries. */
export function incarnationName(incarnationId: string): string {
  return `${INCARNATION_PREFIX}${incarnationId}`;
}

/**
 * Whether a certificate with these names proves that a charger is this one. Letter by letter: two chargers' ids may differ in
 * case alone. One that names a registration counts for that alone; operators' own authorities name none.
 */
export function certifies(
  names: readonly string[],
  { chargerId, incarnationId }: { readonly chargerId: string; readonly incarnationId: string },
): boolean {
  if (!names.includes(chargerId)) return false;
  const isTied = names.some((name) => name.startsWith(INCARNATION_PREFIX) && name !== chargerId);
  return !isTied || names.includes(incarnationName(incarnationId));
}
