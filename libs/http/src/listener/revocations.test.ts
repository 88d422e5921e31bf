import { createAuthority } from '@busbar/testing';
import { readRevocationList } from './revocation-list';
import { revocationsOf } from './revocations';

it('revokes certificates of a revoked authority only', async () => {
  const root = await createAuthority('Root');
  const below = await root.issue('Below');
  const crl = [await root.revocationList([below.serialNumber])];
  const isRevoked = revocationsOf({ ca: [root.cert, below.cert], crl });
  expect(isRevoked({ issuer: 'CN=Below', serialNumber: '1' })).toBe(true);
  expect(isRevoked({ issuer: 'CN=Root', serialNumber: '1' })).toBe(false);
  expect(isRevoked({ issuer: 'CN=Somebody', serialNumber: below.serialNumber })).toBe(false);
});

it('compares serial numbers without case and leading zeros', async () => {
  const root = await createAuthority('Root');
  const isRevoked = revocationsOf({ ca: [root.cert], crl: [await root.revocationList(['00ab'])] });
  expect(isRevoked({ issuer: 'CN=Root', serialNumber: 'AB' })).toBe(true);
  expect(isRevoked({ issuer: 'CN=Root', serialNumber: 'AB0' })).toBe(false);
});

it('throws on a list that cannot be read, and revokes nothing without one', () => {
  expect(() => revocationsOf({ ca: [], crl: ['-----BEGIN X509 CRL-----\nMAA=\n-----END X509 CRL-----'] })).toThrow();
  expect(revocationsOf({})({ issuer: 'CN=Root', serialNumber: '1' })).toBe(false);
});

it('reads a list of tens of thousands of entries', () => {
  const element = (tag: number, ...content: readonly Buffer[]): Buffer => {
    const body = Buffer.concat(content);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(body.length);
    return Buffer.concat([Buffer.from([tag, 0x84]), length, body]);
  };
  const time = element(0x17, Buffer.from('260101000000Z'));
  const entries = Array.from({ length: 20_000 }, (_, n) => {
    const serial = Buffer.alloc(4);
    serial.writeUInt32BE(n + 1);
    return element(0x30, element(0x02, serial), time);
  });
  const [version, algorithm, issuer] = [element(0x02, Buffer.from([1])), element(0x30), element(0x30)];
  const signed = element(0x30, version, algorithm, issuer, time, time, element(0x30, ...entries));
  const der = element(0x30, signed, algorithm, element(0x03, Buffer.from([0])));
  const list = readRevocationList(`-----BEGIN X509 CRL-----\n${der.toString('base64')}\n-----END X509 CRL-----`);
  expect(list.serialNumbers).toHaveLength(20_000);
  expect(list.serialNumbers.at(-1)).toBe('00004e20');
  expect(list.issuer).toEqual(issuer);
});
