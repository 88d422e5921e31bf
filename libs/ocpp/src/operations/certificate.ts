// Certificates that a charger trusts or has, as the operations name them. The types are OCPP's own words of each version.

/** `CentralSystemRootCertificate` is OCPP 1.6 alone, `OEMRootCertificate` 2.1 alone, `ManufacturerRootCertificate` every version. */
export const INSTALLABLE_CERTIFICATES = [
  'CentralSystemRootCertificate',
  'ManufacturerRootCertificate',
  'CSMSRootCertificate',
  'V2GRootCertificate',
  'MORootCertificate',
  'OEMRootCertificate',
] as const;

/** A chain is listed and deleted, but never installed. */
export const CERTIFICATE_TYPES = [...INSTALLABLE_CERTIFICATES, 'V2GCertificateChain'] as const;

export type InstallableCertificate = (typeof INSTALLABLE_CERTIFICATES)[number];
export type CertificateType = (typeof CERTIFICATE_TYPES)[number];

/** The types of OCPP 1.6, whose list has one type. */
export const CERTIFICATE_TYPES_16 = [
  'CentralSystemRootCertificate',
  'ManufacturerRootCertificate',
] as const satisfies readonly CertificateType[];

/** Identifies a certificate in OCPP, in each version by the same fields. */
export interface CertificateHashData {
  readonly hashAlgorithm: string;
  readonly issuerNameHash: string;
  readonly issuerKeyHash: string;
  readonly serialNumber: string;
}

export interface ListedCertificate {
  /** As the charger names it; one of a vendor's own too. */
  readonly type: string;
  readonly hashData: CertificateHashData;
  /** Of a chain: the certificates below it. */
  readonly children: readonly CertificateHashData[];
}

/** The fields that identify it, without any that a vendor adds. */
export function hashDataOf({
  hashAlgorithm,
  issuerNameHash,
  issuerKeyHash,
  serialNumber,
}: CertificateHashData): CertificateHashData {
  return { hashAlgorithm, issuerNameHash, issuerKeyHash, serialNumber };
}
