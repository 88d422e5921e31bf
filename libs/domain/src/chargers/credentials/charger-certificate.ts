// Certificates that the service's own authority signed for chargers.
import type { Timestamp } from '../../timestamp';

/** A certificate as stored until it expires: what an operator needs in order to revoke it. */
export interface ChargerCertificate {
  /** Hexadecimal, lower case. */
  readonly serialNumber: string;
  readonly chargerId: string;
  /** The incarnation for which it was signed. */
  readonly incarnationId: string;
  /** As OCPP names it. Absent: for the connection to this service. */
  readonly type?: string;
  readonly issuedAt: Timestamp;
  readonly notAfter: Timestamp;
}

export interface ChargerCertificates {
  /** An existing one is success. */
  insert(certificate: ChargerCertificate): Promise<void>;
  /** The certificates of a charger id, including earlier registrations, newest first. */
  list(chargerId: string): Promise<ChargerCertificate[]>;
}

/** The most unexpired certificates of one type of a registration. */
const MAX_CERTIFICATES_PER_REGISTRATION = 100;
/** The type of a stored certificate that names none. */
const FOR_CONNECTION = 'ChargingStationCertificate';

/** The most certificates of a charger id: deleting the charger does not make room for more. */
export const MAX_CERTIFICATES_PER_CHARGER_ID = 1_000;

/**
 * Returns whether a registration may get one more certificate of a type. `kept`: those of its charger id. Those for vehicles, which may
 * come each day, leave room for those for the connection.
 */
export function hasRoomForCertificate(
  kept: readonly Pick<ChargerCertificate, 'incarnationId' | 'type'>[],
  { incarnationId, type }: { readonly incarnationId: string; readonly type: string },
): boolean {
  const own = kept.filter((each) => each.incarnationId === incarnationId && (each.type ?? FOR_CONNECTION) === type);
  return own.length < MAX_CERTIFICATES_PER_REGISTRATION && kept.length < MAX_CERTIFICATES_PER_CHARGER_ID;
}

const INCARNATION_PREFIX = 'urn:busbar:incarnation:';

/** The alternative name (kind URI) in every certificate of the service's own authority. */
export function incarnationName(incarnationId: string): string {
  return `${INCARNATION_PREFIX}${incarnationId}`;
}

/**
 * Returns whether a certificate with these names authenticates the charger. The comparison is exact: ids of two
 * chargers may differ in case alone. A certificate that names an incarnation is valid for that alone; those of
 * operators' own authorities name none.
 */
export function certifies(
  names: readonly string[],
  { chargerId, incarnationId }: { readonly chargerId: string; readonly incarnationId: string },
): boolean {
  if (!names.includes(chargerId)) return false;
  const isTied = names.some((name) => name.startsWith(INCARNATION_PREFIX) && name !== chargerId);
  return !isTied || names.includes(incarnationName(incarnationId));
}
