// What the service signs: a certificate for the connection to this service, and those that a charger shows to vehicles (SECC leaf
// certificates of ISO 15118-2 and ISO 15118-20). As data; authority.ts issues them.
import {
  AuthorityInfoAccessExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  type Extension,
} from '@peculiar/x509';
import { incarnationName, type Charger } from '@busbar/domain/chargers';
import type { AcceptedRequest, RequestRules } from './signing-request';

export type CertificateType = 'ChargingStationCertificate' | 'V2GCertificate' | 'V2G20Certificate';

/** As `X509CertificateGenerator` takes it: in the order of the certificate. */
type SubjectName = Record<string, string[]>[];

export interface CertificateProfile {
  readonly type: CertificateType;
  /** Of the files of the authority that signs it. */
  readonly variables: { readonly cert: string; readonly key: string };
  readonly request: RequestRules;
  /** The curve that the authority's key must have. Absent: any, or RSA. */
  readonly curve?: string;
  readonly hash: 'SHA-256' | 'SHA-512';
  readonly validDays: number;
  subject(request: AcceptedRequest): SubjectName;
  extensions(charger: Pick<Charger, 'incarnationId'>, responderUrl: string | undefined): readonly Extension[];
}

const P256 = 'prime256v1';
const P521 = 'secp521r1';
/** At most three months (ISO 15118-2:2014 clause 7.9 and annex F): vehicles have no lists of revoked ones. */
const V2G_DAYS = 90;
/** The domain component by which vehicles know the certificate of a charger. */
const CHARGERS = { DC: ['CPO'] };

/** OCPP 1.6 security whitepaper, 3.1 and 5.9; OCPP 2.0.1, A00.FR.511. */
const own: CertificateProfile = {
  type: 'ChargingStationCertificate',
  variables: { cert: 'CHARGER_CA_CERT_FILE', key: 'CHARGER_CA_KEY_FILE' },
  request: { namesCharger: true },
  hash: 'SHA-256',
  validDays: 365,
  subject: ({ commonName, organization }) => nameOf(commonName, organization),
  extensions: ({ incarnationId }) => [
    new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
    new ExtendedKeyUsageExtension([ExtendedKeyUsage.clientAuth]),
    // The common name stays the charger's id, as the standard requires.
    new SubjectAlternativeNameExtension([{ type: 'url', value: incarnationName(incarnationId) }]),
  ],
};

/** ISO 15118-2:2014, annex F: its cipher suites have static ECDH too, which needs keyAgreement. */
const v2g: CertificateProfile = {
  type: 'V2GCertificate',
  variables: { cert: 'V2G_CA_CERT_FILE', key: 'V2G_CA_KEY_FILE' },
  request: { namesCharger: false, curve: P256 },
  curve: P256,
  hash: 'SHA-256',
  validDays: V2G_DAYS,
  subject: subjectOfCharger,
  extensions: (_charger, responderUrl) =>
    extensionsForVehicles(KeyUsageFlags.digitalSignature | KeyUsageFlags.keyAgreement, responderUrl),
};

/** ISO 15118-20:2022, annex B: TLS 1.3 alone. */
const v2g20: CertificateProfile = {
  type: 'V2G20Certificate',
  variables: { cert: 'V2G20_CA_CERT_FILE', key: 'V2G20_CA_KEY_FILE' },
  request: { namesCharger: false, curve: P521 },
  curve: P521,
  hash: 'SHA-512',
  validDays: V2G_DAYS,
  subject: subjectOfCharger,
  extensions: (_charger, responderUrl) => extensionsForVehicles(KeyUsageFlags.digitalSignature, responderUrl),
};

export const PROFILES: Readonly<Record<CertificateType, CertificateProfile>> = {
  ChargingStationCertificate: own,
  V2GCertificate: v2g,
  V2G20Certificate: v2g20,
};

/** The profile of this `certificateType`; absent is the charger's own (OCPP 2.0.1, A02). Undefined for one that is not known. */
export function profileOf(certificateType: string | undefined): CertificateProfile | undefined {
  if (certificateType === undefined) return own;
  return Object.values(PROFILES).find(({ type }) => type === certificateType);
}

/** The common name is the `SeccId` of the charger (OCPP 2.0.1, ISO15118Ctrlr), which vehicles do not judge. */
function subjectOfCharger({ commonName, organization, country }: AcceptedRequest): SubjectName {
  return [...nameOf(commonName, organization), ...(country === undefined ? [] : [{ C: [country] }]), CHARGERS];
}

/** For servers alone: nobody can present it to this service as a client's, whose names would count. */
function extensionsForVehicles(usages: KeyUsageFlags, responderUrl: string | undefined): readonly Extension[] {
  return [
    new KeyUsagesExtension(usages, true),
    new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
    ...(responderUrl === undefined ? [] : [new AuthorityInfoAccessExtension({ ocsp: [responderUrl] })]),
  ];
}

function nameOf(commonName: string, organization: string | undefined): SubjectName {
  return [{ CN: [commonName] }, ...(organization === undefined ? [] : [{ O: [organization] }])];
}
