// Which client certificates the revocation lists of TLS_CLIENT_CA_FILE name. TLS itself asks only at a handshake; this is
// for connections that are open already.
import { X509Certificate as NodeCertificate } from 'node:crypto';
import type { SecureContextOptions } from 'node:tls';
import { Name, X509Certificate } from '@peculiar/x509';
import type { CertificateIdentity } from '../limits/peer';
import { readRevocationList } from './revocation-list';

export type RevocationCheck = (certificate: CertificateIdentity) => boolean;

/** Throws on a list that cannot be read. A list counts where its authority is in the same file, as TLS wants it. */
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
      // Node writes names in another form, and it is Node's that connections are known by.
      return own.flatMap(({ serialNumbers }) => serialNumbers.map((serial) => keyOf(authority.subject, serial)));
    }),
  );
  const bySubject = new Map(authorities.map((authority) => [authority.subject, authority]));

  /** An authority that is revoked takes what it issued with it. `left` ends what would be a circle of authorities. */
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
