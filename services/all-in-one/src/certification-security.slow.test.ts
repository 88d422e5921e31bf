// The certification cases of the block A that need TLS or an authority; certification.slow.test.ts has the others, and says what they are.
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { systemClock } from '@busbar/core';
import { selfSignedPair } from '@busbar/operations';
import {
  createAuthority,
  createSigningRequest,
  eventually,
  UpgradeRejected,
  type Authority,
  type ScriptedCharger,
} from '@busbar/testing';
import { openAllInOne, type AllInOneWorld } from './testing/open-all-in-one';
import { VERSION, type Json } from './testing/open-station';

const PASSWORD = 'a first password 1';
const OWN = 'ChargingStationCertificate';

const directory = mkdtempSync(join(tmpdir(), 'certification-'));
let authority: Authority;
let world: AllInOneWorld;
/** What a charger trusts: the certificate of the server with a key of the type comes from it. */
let roots: Readonly<Record<'RSA' | 'EC', string>>;
beforeAll(async () => {
  authority = await createAuthority('Chargers');
  const [cert, key] = writePair('chargers', authority);
  const ec = await authority.issue('localhost', { names: ['localhost'], addresses: ['127.0.0.1'] });
  const [ecCert, ecKey] = writePair('server', ec);
  const rsa = await selfSignedPair(directory, systemClock);
  roots = { RSA: readFileSync(rsa.certFile, 'utf8'), EC: authority.cert };
  world = await openAllInOne({
    TLS_CERT_FILE: `${rsa.certFile},${ecCert}`,
    TLS_KEY_FILE: `${rsa.keyFile},${ecKey}`,
    TLS_CLIENT_CA_FILE: cert,
    CHARGER_CA_CERT_FILE: cert,
    CHARGER_CA_KEY_FILE: key,
    V2G_CA_CERT_FILE: cert,
    V2G_CA_KEY_FILE: key,
  });
});

function writePair(name: string, { cert, key }: { readonly cert: string; readonly key: string }) {
  const [certFile, keyFile] = [join(directory, `${name}.pem`), join(directory, `${name}-key.pem`)] as const;
  writeFileSync(certFile, cert);
  writeFileSync(keyFile, key);
  return [certFile, keyFile] as const;
}

afterAll(async () => {
  await world.close();
  rmSync(directory, { recursive: true });
});

type Credentials = Parameters<AllInOneWorld['connect']>[1];

const secure = (id: string, credentials: Credentials) =>
  world.connectSecurely(id, { subprotocols: [VERSION], ...credentials });

async function registered(securityProfile: number, password?: string): Promise<string> {
  const id = await world.register();
  const body = { securityProfile, ...(password !== undefined && { password }) };
  expect((await world.v2('PUT', `/chargers/${id}/authentication`, body)).status).toBe(200);
  return id;
}

async function booted(id: string, opening: Promise<ScriptedCharger>): Promise<ScriptedCharger> {
  const charger = await opening;
  await charger.v2.boot();
  await eventually(() => world.isActive(id));
  return charger;
}

async function statusOf(opening: Promise<ScriptedCharger>): Promise<number> {
  try {
    await (await opening).close();
    return 101;
  } catch (error) {
    return error instanceof UpgradeRejected ? error.status : 0;
  }
}

async function post(id: string, path: string, body: object): Promise<Json> {
  const reply = await world.v2('POST', `/chargers/${id}/${path}`, body);
  expect(reply.status).toBe(200);
  return reply.json();
}

const TLS_1_2 = { maxVersion: 'TLSv1.2' } as const;
const TLS_1_3 = { minVersion: 'TLSv1.3' } as const;

/** What a charger of one suite has, with one kind of certificate that it verifies (A00.FR.318). */
const STACKS = [
  ['RSA', { ...TLS_1_2, ciphers: 'ECDHE-RSA-AES128-GCM-SHA256' }],
  ['RSA', { ...TLS_1_2, ciphers: 'ECDHE-RSA-AES256-GCM-SHA384' }],
  ['EC', { ...TLS_1_2, ciphers: 'ECDHE-ECDSA-AES128-GCM-SHA256' }],
  ['EC', { ...TLS_1_2, ciphers: 'ECDHE-ECDSA-AES256-GCM-SHA384' }],
  ['RSA', { ...TLS_1_3, sigalgs: 'rsa_pss_rsae_sha256:rsa_pkcs1_sha256' }],
  ['EC', { ...TLS_1_3, sigalgs: 'ecdsa_secp256r1_sha256' }],
] as const;

it.each(STACKS)('TC_A_04. is trusted by a charger of %s alone, with %j', async (kind, stack) => {
  const id = await registered(2, PASSWORD);
  const tls = { ...stack, ca: roots[kind], rejectUnauthorized: true };
  const charger = await booted(id, secure(id, { password: PASSWORD, tls }));
  await charger.close();
});

it.each(STACKS)('TC_A_07. admits the certificate of a charger of %s alone, with %j', async (kind, stack) => {
  const id = await registered(3);
  const { cert, key } = await authority.issue(id, { keyType: kind });
  const tls = { ...stack, cert, key, ca: roots[kind], rejectUnauthorized: true };
  const charger = await booted(id, secure(id, { tls }));
  await charger.close();
});

it('TC_A_06. refuses a version of TLS that is too low', async () => {
  const { hostname: host, port } = new URL(world.secureUrl);
  const old = { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
  const socket = connectTls({ host, port: Number(port), rejectUnauthorized: false, ...old });
  await expect(new Promise((_resolve, reject) => socket.once('error', reject))).rejects.toThrow(/protocol|version/i);
});

it('TC_A_08. refuses a certificate of another charger, of another authority, and none', async () => {
  const id = await registered(3);
  const forged = await (await createAuthority('Chargers')).issue(id);
  for (const tls of [await authority.issue(`${id}X`), forged]) expect(await statusOf(secure(id, { tls }))).toBe(403);
  expect(await statusOf(secure(id, {}))).toBe(403);
});

/** A charger that is asked for a new certificate. */
async function asked(message = 'SignChargePointCertificate', requestedMessage = 'SignChargingStationCertificate') {
  const id = await registered(3);
  const tls = await authority.issue(id);
  const charger = await booted(id, secure(id, { tls }));
  charger.answer('TriggerMessage', () => ({ status: 'Accepted' }));
  expect(await post(id, 'trigger-message', { message })).toMatchObject({ status: 'Accepted' });
  const { payload } = await charger.waitForCall('TriggerMessage');
  expect(payload).toEqual({ requestedMessage });
  return { id, tls, charger };
}

it('TC_A_11. renews the certificate of a charger, which connects by it', async () => {
  const { id, charger } = await asked();
  charger.answer('CertificateSigned', () => ({ status: 'Accepted' }));
  const { csr, key } = await createSigningRequest(id);
  expect(await charger.ask('SignCertificate', { csr, certificateType: OWN })).toEqual({ status: 'Accepted' });
  const { payload } = await charger.waitForCall('CertificateSigned');
  expect(payload).toMatchObject({ certificateType: OWN });
  await charger.close();
  expect(await statusOf(secure(id, { tls: { cert: String(payload['certificateChain']), key } }))).toBe(101);
});

it('TC_A_12. signs a certificate for vehicles, by which nobody connects', async () => {
  const { id, charger } = await asked('SignV2GCertificate', 'SignV2GCertificate');
  charger.answer('CertificateSigned', () => ({ status: 'Accepted' }));
  const { csr, key } = await createSigningRequest(id);
  const certificateType = 'V2GCertificate';
  expect(await charger.ask('SignCertificate', { csr, certificateType })).toEqual({ status: 'Accepted' });
  const { payload } = await charger.waitForCall('CertificateSigned');
  expect(payload).toMatchObject({ certificateType });
  const cert = String(payload['certificateChain']);
  expect(new X509Certificate(cert).subject.split('\n')).toContain('DC=CPO');
  await charger.close();
  expect(await statusOf(secure(id, { tls: { cert, key } }))).toBe(403);
});

it('TC_A_14. refuses the request of another name, and sends no certificate', async () => {
  const { id, tls, charger } = await asked();
  const { csr } = await createSigningRequest(`${id}X`);
  expect(await charger.ask('SignCertificate', { csr, certificateType: OWN })).toEqual({ status: 'Rejected' });
  await charger.close();
  expect(charger.received.some(({ action }) => action === 'CertificateSigned')).toBe(false);
  expect(await statusOf(secure(id, { tls }))).toBe(101);
});

it('TC_A_14. shows that the charger refuses the certificate, and takes its security event', async () => {
  const { id, tls, charger } = await asked();
  charger.answer('CertificateSigned', () => ({ status: 'Rejected' }));
  const { csr } = await createSigningRequest(id);
  expect(await charger.ask('SignCertificate', { csr })).toEqual({ status: 'Accepted' });
  await charger.waitForCall('CertificateSigned');
  const event = { type: 'InvalidChargingStationCertificate', timestamp: new Date().toISOString() };
  expect(await charger.ask('SecurityEventNotification', event)).toEqual({});
  const types = ['charger.certificate_refused', 'charger.security_event'];
  const data = await eventually(async () => {
    const { items } = (await world.v2('GET', `/events?types=${types.join(',')}&chargerIds=${id}`)).json() as {
      readonly items: readonly Json[];
    };
    return items.length === types.length && items.map((item) => item['data']);
  });
  expect(data).toMatchObject([{ outcome: 'Rejected', certificateType: OWN }, { type: event.type }]);
  await charger.close();
  expect(await statusOf(secure(id, { tls }))).toBe(101);
});

it.each([
  [1, 2],
  [2, 3],
])('TC_A_19. raises the security profile from %s to %s, and accepts the lower one no more', async (from, to) => {
  const id = await registered(from, PASSWORD);
  const tls = await authority.issue(id);
  const lower = () =>
    from === 1
      ? world.connect(id, { subprotocols: [VERSION], password: PASSWORD })
      : secure(id, { password: PASSWORD });
  const charger = await booted(id, lower());
  charger.answer('SetNetworkProfile', () => ({ status: 'Accepted' }));
  const profile = {
    ocppCsmsUrl: world.secureUrl,
    messageTimeout: 30,
    securityProfile: to,
    ocppInterface: 'Wired0',
  };
  const set = await world.v2('PUT', `/chargers/${id}/network-profiles/1`, profile);
  expect([set.status, set.json()]).toMatchObject([200, { status: 'Accepted' }]);
  const named = { component: { name: 'OCPPCommCtrlr' }, variable: { name: 'NetworkConfigurationPriority' } };
  charger.answer('SetVariables', () => ({ setVariableResult: [{ attributeStatus: 'RebootRequired', ...named }] }));
  const variables = [{ name: 'OCPPCommCtrlr.NetworkConfigurationPriority', value: '1' }];
  const changed = await world.v2('PATCH', `/chargers/${id}/variables`, { variables });
  expect(changed.json()).toMatchObject([{ status: 'RebootRequired' }]);
  charger.answer('Reset', () => ({ status: 'Accepted' }));
  expect(await post(id, 'reset', { type: 'Soft' })).toMatchObject({ status: 'Accepted' });
  await charger.close();
  const raised = await booted(id, secure(id, to === 2 ? { password: PASSWORD } : { tls }));
  expect((await world.v2('GET', `/chargers/${id}`)).json()).toMatchObject({ securityProfile: to });
  await raised.close();
  expect(await statusOf(lower())).toBe(403);
});
