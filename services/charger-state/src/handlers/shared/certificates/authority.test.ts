import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@busbar/core';
import { createAuthority as createRoot, createSigningRequest, type Authority as Root } from '@busbar/testing';
import { authorityOf, createAuthority } from './authority';
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
    expect(judgeRequest(csr, 'cp1')).toMatchObject({
      fit: false,
      reason: expect.stringContaining('common name') as unknown,
    });
    const weak = await createSigningRequest('CP1', { rsaBits: 1024 });
    expect(judgeRequest(weak.csr, 'CP1')).toMatchObject({
      fit: false,
      reason: expect.stringContaining('weak') as unknown,
    });
    for (const text of [
      '',
      'x',
      root.cert,
      '-----BEGIN CERTIFICATE REQUEST-----\nMAA=\n-----END CERTIFICATE REQUEST-----',
    ]) {
      expect(judgeRequest(text, 'CP1')).toMatchObject({ fit: false });
    }
  });

  it('does not sign a request that was changed after its key had signed it', async () => {
    const { csr } = await createSigningRequest('CP1');
    const der = Buffer.from(csr.replace(/-----[^-]+-----/g, ''), 'base64');
    der.write('CP2', der.indexOf('CP1'));
    const forged = `-----BEGIN CERTIFICATE REQUEST-----\n${der.toString('base64')}\n-----END CERTIFICATE REQUEST-----`;
    expect(judgeRequest(csr, 'CP1')).toMatchObject({ fit: true });
    expect(judgeRequest(forged, 'CP2')).toMatchObject({
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
    expect(() => authorityOf({ chargerCaCertFile: 'x' }, systemClock)).toThrow('CHARGER_CA_KEY_FILE is not set');
    expect(authorityOf({}, systemClock)).toBeUndefined();
  });
});
