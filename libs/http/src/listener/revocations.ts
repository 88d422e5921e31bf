// Client certificates that the revocation lists of TLS_CLIENT_CA_FILE revoke. TLS checks them only in a handshake; this is for open
// connections.
import { X509Certificate as NodeCertificate } from 'node:crypto';
import type { SecureContextOptions } from 'node:tls';
import { Name, X509Certificate } from '@peculiar/x509';
import type { CertificateIdentity } from '../limits/peer';
import { readRevocationList } from './revocation-list';

export type RevocationCheck = (certificate: CertificateIdentity) => boolean;

/** Throws on an unreadable list. A list counts only with its authority in the same file, as in TLS. */
export function revocationsOf({ ca, crl }: Pick<SecureContextOptions, 'ca' | 'crl'>): RevocationCheck {
  const lists = pemsOf(crl).map((pem) => {
    const { issuer, serialNumbers } = readRevocationList(pem);
    return { issuer: new Name(issuer).toString(), serialNumbers };
  });
  if (lists.length === 0) return () => false;
  const authorities = pemsOf(ca).map((pem) => new NodeCertificate(pem));
  const revoked = new Set(
    authorities.flatMap((authority) => {
      const { subject } = new X509Certificate(authority.raw);
      const own = lists.filter(({ issuer }) => issuer === subject);
      // Connections have names in Node's form, which differs.
      return own.flatMap(({ serialNumbers }) => serialNumbers.map((serial) => keyOf(authority.subject, serial)));
    }),
  );
  const bySubject = new Map(authorities.map((authority) => [authority.subject, authority]));

  /** A revoked authority revokes what it issued. `left` ends a circle of authorities. */
  function isRevoked({ issuer, serialNumber }: CertificateIdentity, left: number): boolean {
    if (revoked.has(keyOf(issuer, serialNumber))) return true;
    const authority = bySubject.get(issuer);
    return authority !== undefined && authority.issuer !== issuer && left > 0 && isRevoked(authority, left - 1);
  }
  return (certificate) => isRevoked(certificate, authorities.length);
}

function pemsOf(value: SecureContextOptions['ca']): string[] {
  return [value ?? []].flat().map(String);
}

function keyOf(issuer: string, serialNumber: string): string {
  return `${issuer}\n${serialNumber.toLowerCase().replace(/^0+(?=.)/, '')}`;
}
