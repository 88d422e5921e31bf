import type { Charger } from '@busbar/domain/chargers';
import { judgeRequest } from './signing-request';

/**
 * Accepts a request for a certificate where there is an authority, the request is valid and names the charger, and the charger
 * authenticates. A certificate must not prove more than the credentials by which it was requested.
 */
export function judgeSigning(charger: Charger, csr: string, hasAuthority: boolean): 'Accepted' | 'Rejected' {
  const { securityProfile, passwordHash } = charger.registered.authentication;
  const authenticates = securityProfile === 3 || passwordHash !== null;
  return hasAuthority && authenticates && judgeRequest(csr, charger.chargerId).fit ? 'Accepted' : 'Rejected';
}
