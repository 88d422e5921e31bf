import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type ConnectionOptions } from 'node:tls';
import { createAuthority, createFakeClock, createRecordingLogger, type Authority } from '@busbar/testing';
import { createListener, type Listener, type UpgradeConnection } from '../listener/create-listener';
import type { RevocationCheck } from '../listener/revocations';
import type { CertificateIdentity } from './peer';

const LOOK_MS = 5_000;

describe('the peer of an upgrade', () => {
  const clock = createFakeClock();
  let directory: string;
  let authority: Authority;
  let tls: { certFile: string; keyFile: string; clientCaFile: string };
  let listener: Listener;
  let seen: UpgradeConnection[];
  let isRevoked: RevocationCheck;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'busbar-peer-'));
    tls = {
      certFile: join(directory, 'cert.pem'),
      keyFile: join(directory, 'key.pem'),
      clientCaFile: join(directory, 'clients.pem'),
    };
    authority = await createAuthority('Chargers');
    const own = await authority.issue('localhost');
    writeFileSync(tls.certFile, own.cert);
    writeFileSync(tls.keyFile, own.key);
  });

  beforeEach(async () => {
    writeFileSync(tls.clientCaFile, authority.cert);
    seen = [];
    listener = createListener({
      host: '127.0.0.1',
      port: 0,
      tls,
      trustedProxies: ['127.0.0.1', '10.0.0.0/8'],
      logger: createRecordingLogger(),
      clock,
      onRequest: (_request, response) => response.end(),
      onRevocations: (check) => (isRevoked = check),
      onUpgrade(_request, socket, _head, connection) {
        seen.push(connection);
        socket.end('HTTP/1.1 204 No Content\r\n\r\n');
      },
    });
    await listener.start();
  });

  afterEach(() => listener.stop());

  afterAll(() => {
    rmSync(directory, { recursive: true });
  });

  /** The peer that the server saw for an upgrade over a connection of its own. */
  async function upgrade(options: ConnectionOptions = {}, headers = ''): Promise<UpgradeConnection | undefined> {
    const socket = connect({ host: '127.0.0.1', port: listener.address().port, rejectUnauthorized: false, ...options });
    socket.write(`GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${headers}\r\n`);
    await new Promise((resolve, reject) => socket.resume().once('close', resolve).once('error', reject));
    return seen.at(-1);
  }

  it('has no identity without a certificate, which is optional', async () => {
    expect(await upgrade()).toMatchObject({ secure: true, certificate: { kind: 'none' } });
  });

  it('has the common name and alternative names of a trusted certificate', async () => {
    const issued = await authority.issue('CP*=|@1', { names: ['one.example', 'CP-2'] });
    const certificate = { kind: 'trusted', names: ['CP*=|@1', 'one.example', 'CP-2'] };
    expect(await upgrade(issued)).toMatchObject({ certificate });
  });

  it('is untrusted with a certificate of another authority, or an expired one', async () => {
    const foreign = await (await createAuthority('Somebody')).issue('CP1');
    expect(await upgrade(foreign)).toMatchObject({ certificate: { kind: 'untrusted' } });
    const expired = await authority.issue('CP1', { notAfter: new Date(Date.now() - 60_000) });
    expect(await upgrade(expired)).toMatchObject({ certificate: { kind: 'untrusted', reason: 'CERT_HAS_EXPIRED' } });
  });

  it('is untrusted once the authorities file revokes its certificate', async () => {
    const [stored, revoked] = [await authority.issue('CP1'), await authority.issue('CP2')];
    expect(await upgrade(revoked)).toMatchObject({ certificate: { kind: 'trusted' } });
    writeFileSync(tls.clientCaFile, authority.cert + '\n' + (await authority.revocationList([revoked.serialNumber])));
    clock.advance(LOOK_MS);
    expect(await upgrade(revoked)).toMatchObject({ certificate: { kind: 'untrusted', reason: 'CERT_REVOKED' } });
    expect(await upgrade(stored)).toMatchObject({ certificate: { kind: 'trusted' } });
  });

  it('is revoked also on open connections, by issuer and serial number', async () => {
    const [stored, revoked] = [await authority.issue('CP1'), await authority.issue('CP2')];
    const [open, other] = [identityOf(await upgrade(revoked)), identityOf(await upgrade(stored))];
    expect(isRevoked(open)).toBe(false);
    writeFileSync(tls.clientCaFile, authority.cert + '\n' + (await authority.revocationList([revoked.serialNumber])));
    clock.advance(LOOK_MS);
    expect([isRevoked(open), isRevoked(other)]).toEqual([true, false]);
    expect(isRevoked({ ...open, issuer: 'CN=Others' })).toBe(false);
  });

  it("is untrusted while its authority's revocation list has expired", async () => {
    const [stored, revoked] = [await authority.issue('CP1'), await authority.issue('CP2')];
    const open = identityOf(await upgrade(stored));
    const nextUpdate = new Date(Date.now() - 60_000);
    const list = await authority.revocationList([revoked.serialNumber], { nextUpdate });
    writeFileSync(tls.clientCaFile, `${authority.cert}\n${list}`);
    clock.advance(LOOK_MS);
    expect(await upgrade(stored)).toMatchObject({ certificate: { kind: 'untrusted', reason: 'CRL_HAS_EXPIRED' } });
    expect(isRevoked(open)).toBe(false);
  });

  it('follows changes of the authorities file', async () => {
    const other = await createAuthority('Others');
    const [first, second] = [await authority.issue('CP1'), await other.issue('CP2')];
    writeFileSync(tls.clientCaFile, other.cert);
    clock.advance(LOOK_MS);
    expect(await upgrade(second)).toMatchObject({ certificate: { kind: 'trusted' } });
    expect(await upgrade(first)).toMatchObject({ certificate: { kind: 'untrusted' } });
  });

  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['1.2.3.4, 203.0.113.7, 10.1.2.3', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['203.0.113.7, nonsense', undefined],
    ['10.1.2.3', undefined],
  ])('has the address that trusted proxies forward: %s', async (forwarded, address) => {
    expect(await upgrade({}, `X-Forwarded-For: ${forwarded}\r\n`)).toMatchObject({ address });
  });

  it('has no address when the trusted proxy forwards none', async () => {
    expect(await upgrade()).toHaveProperty('address', undefined);
  });
});

function identityOf(connection: UpgradeConnection | undefined): CertificateIdentity {
  if (connection?.certificate.kind !== 'trusted') throw new Error('no trusted certificate was shown');
  return connection.certificate.identity;
}
