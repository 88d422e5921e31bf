import type { Charger } from '@busbar/domain/chargers';
import type { CertificateProfile } from './profiles';
import { judgeRequest } from './signing-request';

/**
 * Accepts a request for a certificate where there is an authority for it, the request is valid, and the charger authenticates. A
 * certificate must not prove more than the credentials by which it was requested. `profile`: undefined without an authority.
 */
export function judgeSigning(
  charger: Charger,
  csr: string,
  profile: CertificateProfile | undefined,
): 'Accepted' | 'Rejected' {
  const { securityProfile, passwordHash } = charger.registered.authentication;
  const authenticates = securityProfile === 3 || passwordHash !== null;
  if (profile === undefined || !authenticates) return 'Rejected';
  return judgeRequest(csr, charger.chargerId, profile.request).fit ? 'Accepted' : 'Rejected';
}
