import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { X509Certificate as AsnCertificate } from '@peculiar/x509';
import { systemClock } from '@busbar/core';
import { createAuthority as createRoot, createSigningRequest, type Authority as Root } from '@busbar/testing';
import { authoritiesOf } from './authorities';
import { createAuthority } from './authority';
import { PROFILES } from './profiles';
import { judgeRequest } from './signing-request';

describe('the authority for chargers', () => {
  let directory: string;
  let root: Root;
  let files: { certFile: string; keyFile: string };

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'busbar-ca-'));
    root = await createRoot('Root');
    files = { certFile: join(directory, 'ca.pem'), keyFile: join(directory, 'ca-key.pem') };
  });

  beforeEach(() => {
    writeFileSync(files.certFile, root.cert);
    writeFileSync(files.keyFile, root.key);
  });

  afterAll(() => {
    rmSync(directory, { recursive: true });
  });

  it.each([undefined, 2048])('signs a request for the charger itself (RSA bits: %s)', async (rsaBits) => {
    const { csr } = await createSigningRequest('CP+1@x', rsaBits === undefined ? {} : { rsaBits });
    const charger = { chargerId: 'CP+1@x', incarnationId: '01INCARNATION' };
    const { chain, certificate } = await createAuthority(files, systemClock).sign(csr, charger);
    const issued = new X509Certificate(chain);
    expect(issued.subjectAltName).toBe('URI:urn:busbar:incarnation:01INCARNATION');
    expect(certificate).toMatchObject({ ...charger, serialNumber: issued.serialNumber.toLowerCase() });
    expect(Date.parse(certificate.notAfter)).toBeGreaterThanOrEqual(Date.parse(issued.validTo));
    expect(issued.verify(new X509Certificate(root.cert).publicKey)).toBe(true);
    expect(issued.toLegacyObject().subject).toMatchObject({ CN: 'CP+1@x', O: 'A charger maker' });
    expect(issued.ca).toBe(false);
    expect(Date.parse(issued.validTo)).toBeLessThanOrEqual(Date.parse(new X509Certificate(root.cert).validTo));
  });

  it('does not sign for another charger, a weak key, or an invalid request', async () => {
    const { csr } = await createSigningRequest('CP1');
    await expect(
      createAuthority(files, systemClock).sign(csr, { chargerId: 'CP2', incarnationId: 'i' }),
    ).rejects.toMatchObject({
      code: 'invalid_request',
    });
    const own = PROFILES.ChargingStationCertificate.request;
    expect(judgeRequest(csr, 'cp1', own)).toMatchObject({
      fit: false,
      reason: expect.stringContaining('common name') as unknown,
    });
    const weak = await createSigningRequest('CP1', { rsaBits: 1024 });
    expect(judgeRequest(weak.csr, 'CP1', own)).toMatchObject({
      fit: false,
      reason: expect.stringContaining('weak') as unknown,
    });
    for (const text of [
      '',
      'x',
      root.cert,
      '-----BEGIN CERTIFICATE REQUEST-----\nMAA=\n-----END CERTIFICATE REQUEST-----',
    ]) {
      expect(judgeRequest(text, 'CP1', own)).toMatchObject({ fit: false });
    }
  });

  it('does not sign a request that was changed after its key had signed it', async () => {
    const { csr } = await createSigningRequest('CP1');
    const der = Buffer.from(csr.replace(/-----[^-]+-----/g, ''), 'base64');
    der.write('CP2', der.indexOf('CP1'));
    const forged = `-----BEGIN CERTIFICATE REQUEST-----\n${der.toString('base64')}\n-----END CERTIFICATE REQUEST-----`;
    const own = PROFILES.ChargingStationCertificate.request;
    expect(judgeRequest(csr, 'CP1', own)).toMatchObject({ fit: true });
    expect(judgeRequest(forged, 'CP2', own)).toMatchObject({
      fit: false,
      reason: expect.stringContaining('not signed') as unknown,
    });
  });

  it('names the variable of an unusable file', async () => {
    const check = (): Promise<void> => createAuthority(files, systemClock).check();
    await expect(check()).resolves.toBeUndefined();
    writeFileSync(files.keyFile, (await createRoot('Other')).key);
    await expect(check()).rejects.toThrow(/^CHARGER_CA_KEY_FILE names .* does not belong/);
    writeFileSync(files.keyFile, 'x');
    await expect(check()).rejects.toThrow(/^CHARGER_CA_KEY_FILE names .* cannot be used/);
    writeFileSync(files.certFile, (await root.issue('no authority')).cert);
    await expect(check()).rejects.toThrow(/^CHARGER_CA_CERT_FILE names .* is no authority/);
    writeFileSync(files.certFile, 'x');
    await expect(check()).rejects.toThrow(/^CHARGER_CA_CERT_FILE names .* no certificate/);
    expect(() => authoritiesOf({ chargerCaCertFile: 'x' }, systemClock)).toThrow('CHARGER_CA_KEY_FILE is not set');
    expect(() => authoritiesOf({ v2gCaKeyFile: 'x' }, systemClock)).toThrow('V2G_CA_CERT_FILE is not set');
    expect(() => authoritiesOf({ v2g20CaCertFile: 'x' }, systemClock)).toThrow('V2G20_CA_KEY_FILE is not set');
    expect(authoritiesOf({}, systemClock)).toEqual({});
    const of20 = authoritiesOf({ v2g20CaCertFile: files.certFile, v2g20CaKeyFile: files.keyFile }, systemClock);
    expect(Object.keys(of20)).toEqual(['V2G20Certificate']);
  });
});

describe('the sub-CA for vehicles', () => {
  const DAY_MS = 86_400_000;
  const charger = { chargerId: 'CP1', incarnationId: 'i' };
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'busbar-v2g-'));
  });
  afterAll(() => {
    rmSync(directory, { recursive: true });
  });

  async function open(type: 'V2GCertificate' | 'V2G20Certificate', curve: 'P-256' | 'P-521', notAfter?: Date) {
    const root = await createRoot('CPO Sub2', { curve, ...(notAfter && { notAfter }) });
    const files = { certFile: join(directory, 'ca.pem'), keyFile: join(directory, 'ca-key.pem') };
    writeFileSync(files.certFile, root.cert);
    writeFileSync(files.keyFile, root.key);
    const responderUrl = 'http://ocsp.example/';
    return { root, authority: createAuthority({ ...files, responderUrl }, systemClock, PROFILES[type]) };
  }

  it.each([
    ['V2GCertificate', 'P-256', 'prime256v1', 'ecdsa-with-SHA256', ['1.3.6.1.5.5.7.3.1'], 90],
    ['V2G20Certificate', 'P-521', 'secp521r1', 'ecdsa-with-SHA512', ['1.3.6.1.5.5.7.3.1'], 90],
    ['V2GCertificate', 'P-256', 'prime256v1', 'ecdsa-with-SHA256', ['1.3.6.1.5.5.7.3.1'], 30],
  ] as const)('162. signs a %s on %s', async (...row) => {
    const [type, curve, namedCurve, signature, usages, days] = row;
    const { root, authority } = await open(type, curve, new Date(Date.now() + (days === 30 ? 30 : 400) * DAY_MS));
    const { csr } = await createSigningRequest('DE*ABC*E1*2', { curve, country: 'DE' });
    const { chain, certificate } = await authority.sign(csr, charger);
    const issued = new X509Certificate(chain);
    expect(certificate).toMatchObject({ ...charger, type });
    expect(issued.subject.split('\n')).toEqual(['CN=DE*ABC*E1*2', 'O=A charger maker', 'C=DE', 'DC=CPO']);
    expect(issued.publicKey.asymmetricKeyDetails).toEqual({ namedCurve });
    expect(issued.toString()).not.toBe(root.cert);
    expect(issued.verify(new X509Certificate(root.cert).publicKey)).toBe(true);
    expect(new AsnCertificate(chain).signatureAlgorithm).toMatchObject({
      hash: { name: signature.replace(/.*SHA/, 'SHA-') },
    });
    expect(issued.keyUsage).toEqual(usages);
    expect(issued.infoAccess).toContain('http://ocsp.example/');
    const validDays = (Date.parse(issued.validTo) - Date.now()) / DAY_MS;
    expect(Math.round(validDays)).toBe(days);
  });

  it.each([
    ['V2GCertificate', 'P-256', { curve: 'P-521' }, 'its key is not on prime256v1'],
    ['V2G20Certificate', 'P-521', { curve: 'P-256' }, 'its key is not on secp521r1'],
    ['V2GCertificate', 'P-256', { rsaBits: 2048 }, 'its key is not on prime256v1'],
  ] as const)('162. does not sign a %s for another key than on %s: %j', async (type, curve, key, reason) => {
    const { authority } = await open(type, curve);
    const { csr } = await createSigningRequest('DE*ABC*E1*2', key);
    await expect(authority.sign(csr, charger)).rejects.toThrow(reason);
  });

  it('162. does not sign for a name that is no plain text', async () => {
    const { csr } = await createSigningRequest('E1\u00002');
    expect(judgeRequest(csr, 'CP1', PROFILES.V2GCertificate.request)).toMatchObject({
      reason: 'its common name is not a plain text',
    });
  });

  it('162. names the variable of an authority on another curve', async () => {
    const { authority } = await open('V2G20Certificate', 'P-256');
    await expect(authority.check()).rejects.toThrow(/^V2G20_CA_KEY_FILE names .* is not an EC key on secp521r1/);
  });
});
