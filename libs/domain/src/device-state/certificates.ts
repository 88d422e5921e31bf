// The certificates of a charger, as it listed them last.
import { createHash } from 'node:crypto';
import { isAfter, type Position } from '@busbar/contracts';
import type { Timestamp } from '../timestamp';

/** Identifies a certificate in OCPP. */
export interface CertificateHashData {
  readonly hashAlgorithm: string;
  readonly issuerNameHash: string;
  readonly issuerKeyHash: string;
  readonly serialNumber: string;
}

export interface InstalledCertificate {
  /** As OCPP names it. */
  readonly type: string;
  readonly hashData: CertificateHashData;
  /** The certificates below it, where it is a chain. */
  readonly children: readonly CertificateHashData[];
}

export interface InstalledCertificates {
  readonly certificates: readonly InstalledCertificate[];
  /** When the charger listed those of a type last, by type; `*`: all of them. */
  readonly listed: Readonly<Record<string, Timestamp>>;
  /** The command of that list. Null: not known. */
  readonly commandId: string | null;
  readonly position: Position;
}

/** A list that the charger sent. */
export interface CertificateListing {
  /** The types that were asked for; undefined: all. */
  readonly types: readonly string[] | undefined;
  readonly certificates: readonly InstalledCertificate[];
  readonly commandId: string | null;
  readonly at: Timestamp;
  readonly position: Position;
}

/** More than any charger stores. */
const MAX_CERTIFICATES = 1_000;
const ID_CHARACTERS = 32;
const ALL = '*';

/** The certificates after a list, which replaces those of the types that were asked for. One from before a later message changes nothing. */
export function withCertificateListing(
  before: InstalledCertificates | null,
  { types, certificates, commandId, at, position }: CertificateListing,
): InstalledCertificates {
  if (before !== null && !isAfter(position, before.position)) return before;
  const others = types === undefined ? [] : (before?.certificates ?? []).filter(({ type }) => !types.includes(type));
  const listed = new Map([...others, ...certificates].map((each) => [`${each.type} ${idOf(each)}`, each]));
  const certificatesNow = [...listed.values()].slice(-MAX_CERTIFICATES);
  const times = types === undefined ? { [ALL]: at } : Object.fromEntries(types.map((type) => [type, at]));
  return {
    certificates: certificatesNow,
    listed: types === undefined ? times : { ...before?.listed, ...times },
    commandId,
    position,
  };
}

/** When the charger listed all certificates of these types, or of every type: the oldest time. Null where it has not listed one. */
export function certificatesListedAt(
  { listed }: Pick<InstalledCertificates, 'listed'>,
  types: readonly string[] | undefined,
): Timestamp | null {
  const times = (types ?? [ALL]).map((type) => listed[type] ?? listed[ALL]);
  return times.includes(undefined) ? null : (times.toSorted()[0] ?? null);
}

/** The certificates after the charger deleted one, or reported that it has none such. Null: there is no list to change. */
export function withoutCertificate(
  before: InstalledCertificates | null,
  { hashData, position }: { readonly hashData: CertificateHashData; readonly position: Position },
): InstalledCertificates | null {
  if (before === null || !isAfter(position, before.position)) return before;
  const certificateId = certificateIdOf(hashData);
  return { ...before, certificates: before.certificates.filter((each) => idOf(each) !== certificateId), position };
}

/** The id of a certificate in the API. Hexadecimal digits count in either case. */
export function certificateIdOf({
  hashAlgorithm,
  issuerNameHash,
  issuerKeyHash,
  serialNumber,
}: CertificateHashData): string {
  const parts = [hashAlgorithm, issuerNameHash, issuerKeyHash, serialNumber].map((part) => part.toLowerCase());
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, ID_CHARACTERS);
}

function idOf({ hashData }: InstalledCertificate): string {
  return certificateIdOf(hashData);
}
