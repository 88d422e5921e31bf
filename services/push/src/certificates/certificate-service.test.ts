// Contracts and the status of certificates in push: a real responder and a real contract provider over HTTP.
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Broker } from '@busbar/broker';
import {
  channels,
  type CertificateFinding,
  type CertificateQuestion,
  type CertificateStatusRequest,
} from '@busbar/contracts';
import { systemClock, type Service } from '@busbar/core';
import { createBroker, openEgress, openResponderEgress } from '@busbar/runtime';
import {
  createAuthority,
  createFakeClock,
  createRecordingLogger,
  type Authority,
  type FakeClock,
} from '@busbar/testing';
import { OCSPResponseStatus } from '@peculiar/asn1-ocsp';
import { hashDataOf, openOcspResponder, type OcspAnswer, type Respond } from '../testing/ocsp-responder';
import { createCertificateService } from './certificate-service';

const SERIAL = '1001';
const LOOPBACK = ['127.0.0.0/8'];
const NONE: CertificateFinding = { kind: 'none' };

let root: Authority;
let sub: Authority;
let other: Authority;
let directory: string;
let responder: Awaited<ReturnType<typeof openOcspResponder>>;
let broker: Broker;
let service: Service | undefined;
let clock: FakeClock;

beforeAll(async () => {
  root = await createAuthority('MO root');
  sub = await root.subordinate('MO sub');
  other = await createAuthority('MO root');
  directory = mkdtempSync(join(tmpdir(), 'busbar-certificates-'));
  writeFileSync(join(directory, 'roots.pem'), root.cert);
});
afterAll(() => rmSync(directory, { recursive: true }));

beforeEach(async () => {
  clock = createFakeClock(new Date());
  responder = await openOcspResponder();
  broker = createBroker('memory:', { logger: createRecordingLogger(), clock: systemClock });
  await broker.start();
});
afterEach(async () => {
  await service?.stop();
  service = undefined;
  responder.close();
  await broker.stop();
});

interface Configured {
  readonly ocsp?: 'on' | 'off';
  readonly allowedCidrs?: readonly string[];
  readonly roots?: string | null;
  readonly provider?: string;
  /** Short only where a test waits for it: the first response of a busy machine comes late. */
  readonly responderTimeoutMs?: number;
}

async function open({
  ocsp = 'on',
  allowedCidrs = LOOPBACK,
  roots = 'roots.pem',
  provider,
  responderTimeoutMs,
}: Configured = {}) {
  service = createCertificateService({
    broker,
    clock,
    logger: createRecordingLogger(),
    ...(responderTimeoutMs !== undefined && { responderTimeoutMs }),
    settings: {
      ocsp,
      contractRootsFile: roots === null ? undefined : join(directory, roots),
      contractProviderUrl: provider,
      contractProviderAuthorization: provider && 'Bearer token',
    },
    openEgress: () => openEgress({ allowedCidrs: LOOPBACK, plainHttp: true, loopback: false }),
    openResponderEgress: () => openResponderEgress({ pushCaFile: undefined, pushProxyUrl: undefined }, allowedCidrs),
  });
  await service.start();
}

async function ask(question: CertificateQuestion): Promise<CertificateFinding> {
  const request = { chargerId: 'CHARGER', ocppVersion: 'ocpp2.1', question };
  const asked = await broker.request(channels.certificateChecks, '', request, 10_000);
  if (asked.outcome !== 'answered') throw new Error(asked.outcome);
  return asked.answer;
}

const named = (issuer = root.cert, serial = SERIAL) => ({ ...hashDataOf(issuer, serial), urls: [responder.url] });
const askStatus = async (certificate = named()) => {
  const found = await ask({ kind: 'statuses', certificates: [certificate] });
  return found.kind === 'statuses' ? found.statuses : found;
};
const askResponse = (certificate: CertificateStatusRequest = named()) => ask({ kind: 'response', certificate });

/** Signed by the authority itself. */
const signedBy =
  ({ key, cert }: Authority, over: Partial<OcspAnswer> = {}): Respond =>
  () => ({ key, enclosed: [cert], ...over });

describe('the response of a responder', () => {
  it.each(['SHA256', 'SHA384', 'SHA512'] as const)(
    '164. is passed on as it is, for a name by %s',
    async (algorithm) => {
      await open({ roots: null });
      responder.respond(signedBy(other));
      const found = await askResponse({ ...hashDataOf(root.cert, '00FF01', algorithm), urls: [responder.url] });
      expect(found).toMatchObject({ kind: 'response', response: expect.stringMatching(/^MI/) as string });
      expect(responder.requests).toHaveLength(1);
    },
  );

  it.each<[string, Respond]>([
    ['HTTP 404', () => (response) => void response.writeHead(404).end()],
    ['try later', () => ({ key: root.key, responseStatus: OCSPResponseStatus.tryLater })],
    ['another serial number', () => ({ key: root.key, serialNumber: Buffer.from('1002', 'hex') })],
    ['a response that is too old', () => ({ key: root.key, nextUpdate: new Date(Date.now() - 1_000) })],
    ['a response of the future', () => ({ key: root.key, thisUpdate: new Date(Date.now() + 3_600_000) })],
    ['HTTP 500', () => (response) => void response.writeHead(500).end()],
    ['a redirect', () => (response) => void response.writeHead(307, { location: responder.url }).end()],
    ['no DER', () => (response) => void response.end('<html>')],
    ['nothing', () => (response) => void response.end()],
    ['too much', () => (response) => void response.end(Buffer.alloc(13_501, 0x30))],
    ['a reset connection', () => (response) => void response.destroy()],
  ])('164. is none for %s', async (_title, respond) => {
    await open();
    responder.respond(respond);
    expect(await askResponse()).toEqual(NONE);
    expect(responder.requests).toHaveLength(1);
  });

  it('164. is none for silence', async () => {
    await open({ responderTimeoutMs: 300 });
    responder.respond(() => () => undefined);
    expect(await askResponse()).toEqual(NONE);
  });

  it.each<[string, (url: string) => string, Configured]>([
    ['a private address without the setting', (url) => url, { allowedCidrs: [] }],
    ['a metadata service', () => 'http://169.254.169.254/ocsp', { allowedCidrs: ['0.0.0.0/0'] }],
    ['localhost', (url) => url.replace('127.0.0.1', 'localhost'), {}],
    ['a port of another service', () => 'http://127.0.0.1:22/', {}],
    ['another scheme', () => 'ldap://127.0.0.1/', {}],
    ['no URL', () => 'responder', {}],
    ['an address as a number', (url) => url.replace('127.0.0.1', '2130706433'), { allowedCidrs: [] }],
  ])('164. is none for %s, without a connection', async (_title, urlOf, configured) => {
    await open(configured);
    responder.respond(signedBy(root));
    expect(await askResponse({ ...named(), urls: [urlOf(responder.url)] })).toEqual(NONE);
    expect(responder.requests).toEqual([]);
  });

  it('164. is none for a name that is none, and while OCSP is off', async () => {
    await open();
    responder.respond(signedBy(root));
    for (const wrong of [{ serialNumber: 'xyz' }, { issuerNameHash: 'ab' }, { hashAlgorithm: 'MD5' }]) {
      expect(await askResponse({ ...named(), ...wrong })).toEqual(NONE);
    }
    await service?.stop();
    await open({ ocsp: 'off' });
    expect(await askResponse()).toEqual(NONE);
    expect(await askStatus()).toEqual(NONE);
    expect(responder.requests).toEqual([]);
  });

  it('164. is asked for once while it is current, also by several chargers at the same time', async () => {
    await open();
    responder.respond(signedBy(root));
    const [first, second] = await Promise.all([askResponse(), askResponse()]);
    expect(first).toEqual(second);
    expect(await askResponse()).toEqual(first);
    expect(responder.requests).toHaveLength(1);
    await askResponse({ ...named(), urls: [`${responder.url}/other`] });
    expect(responder.requests).toHaveLength(2);
    clock.advance(3_660_000);
    responder.respond(signedBy(root, { nextUpdate: new Date(Date.now() + 7_200_000) }));
    expect(await askResponse()).not.toEqual(first);
    expect(responder.requests).toHaveLength(3);
  });

  it('164. is asked for each time where it names no time of the next one', async () => {
    await open();
    responder.respond(signedBy(root, { nextUpdate: null }));
    expect([(await askResponse()).kind, (await askResponse()).kind]).toEqual(['response', 'response']);
    expect(responder.requests).toHaveLength(2);
  });

  it('164. is not asked for after five failures of a host in a row', async () => {
    await open();
    responder.respond(() => (response) => void response.destroy());
    for (let n = 0; n < 7; n += 1) expect(await askResponse()).toEqual(NONE);
    expect(responder.requests).toHaveLength(5);
  });
});

describe('the status of a certificate', () => {
  it.each<[string, string, () => Respond]>([
    ['good', 'signed by the issuer', () => signedBy(root, { enclosed: [] })],
    ['revoked', 'signed by the issuer', () => signedBy(root, { status: 'revoked' })],
    ['unknown', 'signed by the issuer', () => signedBy(root, { status: 'unknown' })],
    ['failed', 'signed by another authority of the same name', () => signedBy(other)],
    [
      'failed',
      'changed after it was signed',
      () =>
        signedBy(root, {
          status: 'revoked',
          tamper: ({ tbsResponseData }) => {
            for (const { certStatus } of tbsResponseData.responses)
              Object.assign(certStatus, { good: null, revoked: undefined });
          },
        }),
    ],
  ])('164. is %s by a response %s', async (status, _title, respond) => {
    await open();
    responder.respond(respond());
    expect(await askStatus()).toMatchObject([{ status }]);
  });

  it.each<[string, string, boolean, 'delegated' | 'client']>([
    ['good', 'a responder that the issuer delegated', true, 'delegated'],
    ['failed', 'a certificate of the issuer for another purpose', true, 'client'],
  ])('164. is %s by a response of %s', async (status, _title, _is, kind) => {
    const { cert, key } = await root.issue('responder', kind === 'delegated' ? { signsOcsp: true } : {});
    await open();
    responder.respond(() => ({ key, enclosed: [cert] }));
    expect(await askStatus()).toMatchObject([{ status }]);
  });

  it('164. is good for an issuer that the response encloses and that leads to a root, else failed', async () => {
    await open();
    responder.respond(signedBy(sub));
    expect(await askStatus(named(sub.cert))).toMatchObject([{ status: 'good' }]);
    const foreign = await other.subordinate('MO sub');
    responder.respond(signedBy(foreign));
    expect(await askStatus(named(foreign.cert))).toMatchObject([{ status: 'failed' }]);
    responder.respond(signedBy(sub, { enclosed: [] }));
    expect(await askStatus(named(sub.cert, '1002'))).toMatchObject([{ status: 'failed' }]);
  });

  it('164. is failed without roots, and where the certificates are no longer valid', async () => {
    await open({ roots: null });
    responder.respond(signedBy(root));
    expect(await askStatus()).toEqual([{ status: 'failed' }]);
    await service?.stop();
    await open();
    clock.advance(7_200_000);
    responder.respond(signedBy(root, { nextUpdate: new Date(Date.now() + 9_000_000) }));
    expect(await askStatus()).toEqual([{ status: 'failed' }]);
  });

  it('164. is not taken from a response that did not verify', async () => {
    await open();
    responder.respond(signedBy(other));
    expect(await askStatus()).toEqual([{ status: 'failed' }]);
    responder.respond(signedBy(root));
    expect(await askStatus()).toMatchObject([{ status: 'good', nextUpdate: expect.any(String) as string }]);
  });

  it('164. keeps the order of the question', async () => {
    await open();
    responder.respond(({ tbsRequest }) => {
      const [serial] = tbsRequest.requestList.map(({ reqCert }) => Buffer.from(reqCert.serialNumber).toString('hex'));
      return { key: root.key, status: serial === '1002' ? 'revoked' : 'good' };
    });
    const certificates = [named(), { ...named(), urls: [] }, named(root.cert, '1002')];
    expect(await ask({ kind: 'statuses', certificates })).toMatchObject({
      statuses: [{ status: 'good' }, { status: 'failed' }, { status: 'revoked' }],
    });
  });
});

it.each([
  ['cannot be read', 'missing.pem'],
  ['has no certificates', 'empty.pem'],
])('164. does not start where CONTRACT_ROOTS_FILE %s', async (_title, roots) => {
  writeFileSync(join(directory, 'empty.pem'), '');
  await expect(open({ roots })).rejects.toMatchObject({ code: 'invalid_configuration' });
});

describe('the contract provider', () => {
  const QUESTION = {
    kind: 'contract',
    schemaVersion: 'urn:iso:15118:2:2013:MsgDef',
    action: 'Install',
    exiRequest: 'ZXhp',
    maxContracts: 2,
    contractIds: ['DE8AA1A2B3C4D59'],
  } as const;
  let provider: Server;
  let respond: (response: ServerResponse) => void;
  let received: { readonly headers: IncomingHttpHeaders; readonly body: unknown }[];

  beforeEach(async () => {
    received = [];
    provider = createServer((request, response) => {
      void text(request).then((body) => {
        received.push({ headers: request.headers, body: JSON.parse(body) });
        respond(response);
      });
    });
    await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
    await open({
      ocsp: 'off',
      provider: `http://127.0.0.1:${String((provider.address() as AddressInfo).port)}/contracts`,
    });
  });
  afterEach(() => {
    provider.closeAllConnections();
    provider.close();
  });

  it('164. gets the request of the vehicle, and its response is passed on', async () => {
    respond = (response) => void response.end('{"exiResponse":"cmVz","remainingContracts":1}');
    expect(await ask(QUESTION)).toEqual({ kind: 'contract', exiResponse: 'cmVz', remainingContracts: 1 });
    expect(received).toMatchObject([
      {
        headers: { authorization: 'Bearer token', 'content-type': 'application/json' },
        body: {
          chargerId: 'CHARGER',
          ocppVersion: 'ocpp2.1',
          iso15118SchemaVersion: QUESTION.schemaVersion,
          action: 'Install',
          exiRequest: 'ZXhp',
          maximumContractCertificateChains: 2,
          prioritizedEMAIDs: ['DE8AA1A2B3C4D59'],
        },
      },
    ]);
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ['HTTP 500', (response) => void response.writeHead(500).end('{"exiResponse":"cmVz"}')],
    ['a redirect', (response) => void response.writeHead(302, { location: '/' }).end()],
    ['no JSON', (response) => void response.end('cmVz')],
    ['no response', (response) => void response.end('{"exiResponse":""}')],
    [
      'a response above 17,000 characters',
      (response) => void response.end(JSON.stringify({ exiResponse: 'x'.repeat(17_001) })),
    ],
    ['too much', (response) => void response.end(JSON.stringify({ exiResponse: 'cmVz', more: 'x'.repeat(33_000) }))],
    ['a reset connection', (response) => void response.destroy()],
  ])('164. gives no contract with %s', async (_title, respondWith) => {
    respond = respondWith;
    expect(await ask(QUESTION)).toEqual(NONE);
  });

  it('164. is not asked after five failures in a row, for ten seconds', async () => {
    respond = (response) => void response.writeHead(500).end();
    for (let n = 0; n < 7; n += 1) expect(await ask(QUESTION)).toEqual(NONE);
    expect(received).toHaveLength(5);
    clock.advance(10_000);
    respond = (response) => void response.end('{"exiResponse":"cmVz"}');
    expect(await ask(QUESTION)).toMatchObject({ kind: 'contract' });
  });

  it('164. is asked on for other chargers where it refuses the requests of one', async () => {
    respond = (response) => void response.writeHead(400).end();
    for (let n = 0; n < 7; n += 1) expect(await ask(QUESTION)).toEqual(NONE);
    expect(received).toHaveLength(7);
  });
});

it('164. gives no contract without a contract provider', async () => {
  await open();
  expect(await ask({ kind: 'contract', schemaVersion: 's', action: 'Install', exiRequest: 'e' })).toEqual(NONE);
});
