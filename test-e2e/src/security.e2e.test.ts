// Tests who may connect: security profiles 0 to 3, and keys that are changed while chargers run.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createAuthority,
  createSigningRequest,
  eventually,
  UpgradeRejected,
  type Authority,
  type ScriptedCharger,
} from '@busbar/testing';
import { inBothOwnWorlds } from './harness/in-both-worlds';
import { connect, legacy, readV2, registerCharger, uniqueId, v2, type World } from './harness/world';

const directory = mkdtempSync(join(tmpdir(), 'busbar-security-'));
const clientCaFile = join(directory, 'chargers.pem');
const keyFile = join(directory, 'chargers-key.pem');
let authority: Authority;

beforeAll(async () => {
  authority = await createAuthority('Chargers');
  writeFileSync(clientCaFile, authority.cert);
  writeFileSync(keyFile, authority.key);
});

afterAll(() => {
  rmSync(directory, { recursive: true });
});

async function statusOf(attempt: Promise<ScriptedCharger>): Promise<number> {
  try {
    const charger = await attempt;
    await charger.close();
    return 101;
  } catch (error) {
    if (error instanceof UpgradeRejected) return error.status;
    throw error;
  }
}

async function secure(world: World, body: Readonly<Record<string, unknown>>, id?: string): Promise<string> {
  const { chargerId } = await registerCharger(world, id);
  const set = await v2(world, `/chargers/${encodeURIComponent(chargerId)}/authentication`, { method: 'PUT', body });
  expect(set.json).toEqual({ chargerId, securityProfile: body['securityProfile'] ?? 1 });
  return chargerId;
}

function newKey(): string {
  return randomBytes(20).toString('hex');
}

function bytes(key: string): Buffer {
  return Buffer.from(key, 'hex');
}

/** Each has its own way in; all mean the same. */
const WAYS = [
  (world: World, chargerId: string, value: string) =>
    v2(world, `/chargers/${chargerId}/calls`, {
      method: 'POST',
      body: { action: 'ChangeConfiguration', payload: { key: 'AuthorizationKey', value } },
    }),
  (world: World, chargerId: string, value: string) =>
    v2(world, `/chargers/${chargerId}/configuration`, {
      method: 'PATCH',
      body: { configName: 'AuthorizationKey', configValue: value },
    }),
  (world: World, chargerId: string, value: string) =>
    legacy(world, `/charger/changeConfig/${chargerId}`, {
      method: 'POST',
      body: { configName: 'AuthorizationKey', configValue: value },
    }),
] as const;
const [byCalls] = WAYS;

inBothOwnWorlds(
  (world) => {
    it('13. requires a certificate that names the charger in profile 3, by common name or alternative name', async () => {
      const chargerId = await secure(world(), { securityProfile: 3 });
      const [own, another] = [await authority.issue(chargerId), await authority.issue(`${chargerId}X`)];
      const alternative = await authority.issue('Serial 1', { names: [chargerId] });
      const forged = await (await createAuthority('Chargers')).issue(chargerId);
      const shown = async (tls?: { cert: string; key: string }): Promise<number> =>
        statusOf(connect(world(), chargerId, tls === undefined ? {} : { tls }));
      expect(await shown()).toBe(403);
      expect(await shown(another)).toBe(403);
      expect(await shown(forged)).toBe(403);
      expect(await shown(own)).toBe(101);
      expect(await shown(alternative)).toBe(101);
    });

    it('13. requires no certificate of other profiles, and requires their password also with one', async () => {
      const chargerId = await secure(world(), { password: 'a good password', securityProfile: 2 });
      const tls = await authority.issue(chargerId);
      expect(await statusOf(connect(world(), chargerId, { password: 'a good password' }))).toBe(101);
      expect(await statusOf(connect(world(), chargerId, { tls }))).toBe(401);
      const none = await registerCharger(world());
      expect(await statusOf(connect(world(), none.chargerId, { tls }))).toBe(101);
    });

    it.each(['ocpp1.6', 'ocpp2.0.1', 'ocpp2.1'])(
      '161. issues a certificate to a charger of %s that requests it, and accepts it afterwards',
      async (version) => {
        const subprotocols = [version];
        const password = 'a good password';
        const chargerId = await secure(world(), { password, securityProfile: 2 });
        const charger = await connect(world(), chargerId, {
          password,
          subprotocols,
          answers: { CertificateSigned: () => ({ status: 'Accepted' }) },
        });
        const { csr, key } = await createSigningRequest(chargerId);
        expect(await charger.ask('SignCertificate', { csr })).toEqual({ status: 'Accepted' });
        const { payload } = await charger.waitForCall('CertificateSigned');
        const another = await createSigningRequest(`${chargerId}X`);
        expect(await charger.ask('SignCertificate', { csr: another.csr })).toEqual({ status: 'Rejected' });
        const path = `/chargers/${chargerId}/authentication`;
        expect((await v2(world(), path, { method: 'PUT', body: { securityProfile: 3 } })).status).toBe(200);
        await charger.waitForClose();
        const tls = { cert: String(payload['certificateChain']), key };
        expect(await statusOf(connect(world(), chargerId, { tls, subprotocols }))).toBe(101);
      },
    );

    it('does not accept a certificate of a deleted charger for its successor', async () => {
      const password = 'a good password';
      const chargerId = await secure(world(), { password, securityProfile: 2 });
      const answers = { CertificateSigned: () => ({ status: 'Accepted' }) };
      const charger = await connect(world(), chargerId, { password, answers });
      const { csr, key } = await createSigningRequest(chargerId);
      await charger.ask('SignCertificate', { csr });
      const { payload } = await charger.waitForCall('CertificateSigned');
      expect((await v2(world(), `/chargers/${chargerId}`, { method: 'DELETE' })).status).toBe(200);
      await charger.waitForClose();
      await registerCharger(world(), chargerId);
      const path = `/chargers/${chargerId}/authentication`;
      expect((await v2(world(), path, { method: 'PUT', body: { securityProfile: 3 } })).status).toBe(200);
      const tls = { cert: String(payload['certificateChain']), key };
      expect(await statusOf(connect(world(), chargerId, { tls }))).toBe(403);
      expect(await statusOf(connect(world(), chargerId, { tls: await authority.issue(chargerId) }))).toBe(101);
    });

    it('closes a connection after the revocation of its certificate, and keeps the others', async () => {
      const [chargerId, other] = [
        await secure(world(), { securityProfile: 3 }),
        await secure(world(), { securityProfile: 3 }),
      ];
      const tls = await authority.issue(chargerId);
      const charger = await connect(world(), chargerId, { tls });
      const neighbour = await connect(world(), other, { tls: await authority.issue(other) });
      writeFileSync(clientCaFile, `${authority.cert}\n${await authority.revocationList([tls.serialNumber])}`);
      try {
        expect(await charger.waitForClose()).toEqual({ code: 1008, reason: 'certificate revoked' });
        expect(await statusOf(connect(world(), chargerId, { tls }))).toBe(403);
        expect(await neighbour.heartbeat()).toHaveProperty('currentTime');
      } finally {
        writeFileSync(clientCaFile, authority.cert);
        await neighbour.close();
      }
    });

    it('issues no certificate to a charger without authentication', async () => {
      const { chargerId } = await registerCharger(world());
      const charger = await connect(world(), chargerId);
      const { csr } = await createSigningRequest(chargerId);
      expect(await charger.ask('SignCertificate', { csr })).toEqual({ status: 'Rejected' });
      await charger.close();
    });

    it('refuses a password for a charger with ":" in its id, and accepts profile 3', async () => {
      const { chargerId } = await registerCharger(world(), uniqueId('A:B'));
      const path = `/chargers/${encodeURIComponent(chargerId)}/authentication`;
      const refused = await v2(world(), path, { method: 'PUT', body: { password: 'a good password' } });
      expect(refused.status).toBe(400);
      expect((await v2(world(), path, { method: 'PUT', body: { securityProfile: 3 } })).status).toBe(200);
      expect(await statusOf(connect(world(), chargerId, { tls: await authority.issue(chargerId) }))).toBe(101);
    });

    it.each([0, 1, 2])('10. accepts only the new key after Accepted (way %s)', async (way) => {
      const [old, fresh] = [newKey(), newKey()];
      const chargerId = await secure(world(), { authorizationKey: old, securityProfile: 2 });
      const charger = await connect(world(), chargerId, { password: bytes(old) });
      await eventually(async () => (await readV2(world(), chargerId)).activeConnection);
      const reply = await WAYS[way as 0 | 1 | 2](world(), chargerId, fresh);
      expect(reply.status).toBe(200);
      expect(reply.text).toContain('Accepted');
      expect(await charger.waitForCall('ChangeConfiguration')).toMatchObject({ payload: { value: fresh } });
      await eventually(async () => (await statusOf(connect(world(), chargerId, { password: bytes(old) }))) === 401);
      expect(await statusOf(connect(world(), chargerId, { password: bytes(fresh) }))).toBe(101);
      const shown = await Promise.all([
        v2(world(), `/chargers/${chargerId}`),
        v2(world(), `/chargers/${chargerId}/configuration`),
        v2(world(), `/chargers/${chargerId}/ocpp-logs`),
      ]);
      for (const { status, text } of shown) {
        expect(status).toBe(200);
        expect(text).not.toContain(fresh);
      }
      await charger.close();
    });

    it('10. accepts only the old key after a rejection', async () => {
      const [old, fresh] = [newKey(), newKey()];
      const chargerId = await secure(world(), { authorizationKey: old });
      const answers = { ChangeConfiguration: () => ({ status: 'Rejected' }) };
      const charger = await connect(world(), chargerId, { password: bytes(old), answers });
      await eventually(async () => (await readV2(world(), chargerId)).activeConnection);
      expect((await byCalls(world(), chargerId, fresh)).text).toContain('Rejected');
      await eventually(async () => (await statusOf(connect(world(), chargerId, { password: bytes(fresh) }))) === 401);
      expect(await statusOf(connect(world(), chargerId, { password: bytes(old) }))).toBe(101);
      await charger.close();
    });

    it.each(['old', 'new'] as const)('10. accepts both keys after no answer until the %s one is used', async (used) => {
      const keys = { old: newKey(), new: newKey() };
      const chargerId = await secure(world(), { authorizationKey: keys.old });
      const answers = { ChangeConfiguration: () => ({ kind: 'silence' }) as const };
      const charger = await connect(world(), chargerId, { password: bytes(keys.old), answers });
      await eventually(async () => (await readV2(world(), chargerId)).activeConnection);
      const reply = byCalls(world(), chargerId, keys.new);
      await charger.waitForCall('ChangeConfiguration');
      charger.terminate();
      expect((await reply).status).toBe(502);
      expect(await statusOf(connect(world(), chargerId, { password: bytes(keys[used]) }))).toBe(101);
      const other = keys[used === 'old' ? 'new' : 'old'];
      await eventually(async () => (await statusOf(connect(world(), chargerId, { password: bytes(other) }))) === 401);
      expect(await statusOf(connect(world(), chargerId, { password: bytes(keys[used]) }))).toBe(101);
    });

    it('10. refuses a malformed key before a CALL is sent', async () => {
      const old = newKey();
      const chargerId = await secure(world(), { authorizationKey: old });
      const charger = await connect(world(), chargerId, { password: bytes(old) });
      await eventually(async () => (await readV2(world(), chargerId)).activeConnection);
      expect((await byCalls(world(), chargerId, 'no hexadecimal digits')).status).toBe(400);
      expect(charger.received.some(({ action }) => action === 'ChangeConfiguration')).toBe(false);
      await charger.close();
    });

    it('12. responds 429 with Retry-After to wrong passwords, and admits the charger from another network', async () => {
      const chargerId = await secure(world(), { password: 'a good password' });
      const statuses = await Promise.all(
        Array.from({ length: 12 }, (_, i) => statusOf(connect(world(), chargerId, { password: `wrong ${String(i)}` }))),
      );
      expect(statuses.filter((status) => status === 401)).toHaveLength(5);
      const last = await connect(world(), chargerId, { password: 'wrong' }).catch((error: unknown) => error);
      expect(last).toMatchObject({
        status: 429,
        headers: { 'retry-after': expect.stringMatching(/^[1-9]\d*$/) as unknown },
      });
      const { chargerId: neighbour } = await registerCharger(world());
      expect(await statusOf(connect(world(), neighbour))).toBe(101);
    });
  },
  { TLS_CLIENT_CA_FILE: clientCaFile, CHARGER_CA_CERT_FILE: clientCaFile, CHARGER_CA_KEY_FILE: keyFile },
);
