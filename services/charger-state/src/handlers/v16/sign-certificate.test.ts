import type { ChargerAuthentication } from '@busbar/domain/chargers';
import { createSigningRequest } from '@busbar/testing';
import { handle } from '../../testing/handler-situation';
import { signCertificateBy } from './sign-certificate';

const PASSWORD: ChargerAuthentication = { securityProfile: 1, passwordHash: 'hash' };

describe('signCertificate', () => {
  let valid: string;
  let ofAnother: string;

  beforeAll(async () => {
    valid = (await createSigningRequest('CHARGER')).csr;
    ofAnother = (await createSigningRequest('ANOTHER')).csr;
  });

  it.each<[string, string, () => string, ChargerAuthentication]>([
    ['Accepted', 'a charger with a password', () => valid, PASSWORD],
    ['Accepted', 'a charger with a certificate', () => valid, { securityProfile: 3, passwordHash: null }],
    ['Rejected', 'a charger without credentials', () => valid, { securityProfile: 2, passwordHash: null }],
    ['Rejected', 'a request that names another charger', () => ofAnother, PASSWORD],
    ['Rejected', 'a request that cannot be read', () => 'csr', PASSWORD],
  ])('answers %s for %s', (status, _, csrOf, authentication) => {
    const csr = csrOf();
    const situation = { authentication, report: { action: 'SignCertificate' } };
    const { answer, rows, charger, before } = handle(signCertificateBy(true), { csr }, situation);
    expect(answer).toEqual({ status });
    expect(rows.events).toMatchObject([{ rowId: 'report-1', action: 'SignCertificate', payload: { csr } }]);
    expect(charger).toBe(before);
  });

  it('answers Rejected for a valid request where there is no authority, and stores it', () => {
    const { answer, rows } = handle(signCertificateBy(false), { csr: valid }, { authentication: PASSWORD });
    expect(answer).toEqual({ status: 'Rejected' });
    expect(rows.events).toHaveLength(1);
  });
});
