// Real-time authorization in push: a real endpoint over HTTP, an embedded broker, and the records in memory.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Broker } from '@busbar/broker';
import {
  channels,
  type AuthorizationAnswer,
  type AuthorizationRequest,
  type AuthorizationTermsNotice,
} from '@busbar/contracts';
import { AppError, systemClock, type Service } from '@busbar/core';
import type { AuthorizationEndpoint } from '@busbar/domain/real-time-authorization';
import type { Tag } from '@busbar/domain/tags';
import {
  newAuthorizationEndpoint,
  newCharger,
  newTag,
  storedAuthorizationEndpoints,
  storedChargers,
  storedTags,
} from '@busbar/domain/testing';
import type { Records } from '@busbar/domain';
import { createBroker, createStoredSecrets, openEgress } from '@busbar/runtime';
import {
  createFakeClock,
  createRecordingLogger,
  eventually,
  type FakeClock,
  type RecordingLogger,
} from '@busbar/testing';
import { Webhook } from 'standardwebhooks';
import { createAuthorizationService } from './authorization-service';

interface Received {
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

type Respond = (response: ServerResponse, received: Received) => void;

const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const secrets = createStoredSecrets(Buffer.alloc(32, 7).toString('base64'));
const CHARGER = newCharger({ chargerId: 'ACME_1', registered: { siteId: 3 } });
const QUESTION: AuthorizationRequest = {
  clientId: 'client',
  chargerId: CHARGER.chargerId,
  incarnationId: CHARGER.incarnationId,
  rfidTag: '04aB',
  socketId: 2,
  action: 'start',
};

let server: Server;
let broker: Broker;
let clock: FakeClock;
let service: Service | undefined;
let received: Received[];
let respond: Respond;
let notices: AuthorizationTermsNotice[];
let endpoints: ReturnType<typeof storedAuthorizationEndpoints>;
let logger: RecordingLogger;

const json = (fields: unknown, status = 200): Respond => {
  return (response) =>
    void response.writeHead(status).end(typeof fields === 'string' ? fields : JSON.stringify(fields));
};

beforeEach(async () => {
  logger = createRecordingLogger();
  received = [];
  notices = [];
  respond = json({ allowed: true });
  server = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({ headers: request.headers, body });
      respond(response, { headers: request.headers, body });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  clock = createFakeClock(new Date('2026-01-01T12:00:00Z'));
  broker = createBroker('memory:', { logger, clock: systemClock });
  await broker.start();
  await broker.listen(channels.authorisationTerms, (notice) => void notices.push(notice));
});

afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await service?.stop();
  service = undefined;
  await broker.stop();
});

const urlOf = (): string => `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/authorize?a=b`;

interface Situation {
  readonly endpoint?: Partial<AuthorizationEndpoint> | null;
  readonly tags?: readonly Tag[];
  readonly records?: Partial<Records>;
  readonly withoutKey?: boolean;
}

async function open({ endpoint = {}, tags = [], records = {}, withoutKey = false }: Situation = {}): Promise<void> {
  const ids = { clientId: 'client', endpointId: 'rta_1' };
  const stored = { ...ids, url: urlOf(), timeoutS: 1, secret: secrets.encrypt(SECRET, 'rta_1') };
  endpoints = storedAuthorizationEndpoints(
    ...(endpoint === null ? [] : [newAuthorizationEndpoint({ ...stored, ...endpoint })]),
  );
  const all = { authorizationEndpoints: endpoints, chargers: storedChargers(CHARGER), tags: storedTags(...tags) };
  service = createAuthorizationService({
    broker,
    records: { ...all, ...records } as Pick<Records, keyof typeof all>,
    clock,
    logger,
    secrets: withoutKey ? undefined : secrets,
    openEgress: () => openEgress({ allowedCidrs: ['127.0.0.0/8'], plainHttp: true, loopback: false }),
  });
  await service.start();
}

async function ask(over: Partial<AuthorizationRequest> = {}): Promise<AuthorizationAnswer> {
  const asked = await broker.request(channels.authorisations, '', { ...QUESTION, ...over }, 20_000);
  if (asked.outcome !== 'answered') throw new Error(asked.outcome);
  return asked.answer;
}

const failed = (error: string, over = {}) => ({ outcome: 'failed', verdict: 'unknown', error, ...over });

describe('a request to the endpoint', () => {
  it('is signed in the standard format, as a verifier of others accepts it', async () => {
    clock = createFakeClock(new Date());
    await open();
    expect(await ask()).toMatchObject({ outcome: 'judged', verdict: 'accepted', validForMs: 60_000 });
    const [{ headers, body } = { headers: {}, body: '' }] = received;
    const verified = new Webhook(SECRET).verify(body, headers as Record<string, string>);
    expect(verified).toMatchObject({
      type: 'tag.authorize',
      data: { chargerId: 'ACME_1', siteId: 3, socketId: 2, rfidTag: '04aB', action: 'start' },
    });
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'Busbar-Webhooks/1' });
    await ask();
    expect(received[1]?.headers['webhook-id']).not.toBe(headers['webhook-id']);
  });

  it('has the configured header in the push format', async () => {
    const authorization = secrets.encrypt('Bearer token', 'rta_1');
    await open({ endpoint: { format: 'push', authorization } });
    respond = json({ charging_allowed: false, reason: 'EXPIRED_RFID_TAG_ID' });
    expect(await ask()).toMatchObject({ outcome: 'judged', verdict: 'expired' });
    expect(received).toMatchObject([
      { headers: { authorization: 'Bearer token' }, body: '{"charger_id":"ACME_1","rfid_tag_id":"04aB"}' },
    ]);
    expect(received[0]?.headers).not.toHaveProperty('webhook-signature');
  });

  it('needs no header in the push format', async () => {
    await open({ endpoint: { format: 'push' }, withoutKey: true });
    respond = json({ charging_allowed: true });
    expect(await ask()).toMatchObject({ outcome: 'judged', verdict: 'accepted' });
  });

  it('passes on parent, expiry and the shorter validity', async () => {
    await open();
    const given = { parentIdTag: 'P', expiresAt: '2026-02-01T00:00:00.000Z' };
    respond = json({ allowed: true, ...given, validForS: 1.5 });
    expect(await ask()).toMatchObject({ outcome: 'judged', ...given, validForMs: 1_500 });
  });
});

describe('nobody is asked', () => {
  it.each<[string, AuthorizationAnswer, Situation, Partial<AuthorizationRequest>]>([
    ['about a tag of the client, in any case', { outcome: 'own' }, { tags: [newTag({ idTag: '04AB' })] }, {}],
    ['about a blocked tag of the client', { outcome: 'own' }, { tags: [newTag({ idTag: '04ab', blocked: true })] }, {}],
    ['without an endpoint', { outcome: 'not_asked' }, { endpoint: null }, {}],
    ['by a disabled endpoint', { outcome: 'not_asked' }, { endpoint: { enabled: false } }, {}],
    ['at another site', { outcome: 'not_asked' }, { endpoint: { siteIds: [1, 2] } }, {}],
    ['for an unknown charger', { outcome: 'not_asked' }, {}, { chargerId: 'OTHER' }],
    ['for another incarnation', { outcome: 'not_asked' }, {}, { incarnationId: 'ACME_1-2' }],
    ['for the charger of another client', { outcome: 'not_asked' }, {}, { clientId: 'other' }],
    [
      'while the store is unavailable',
      { outcome: 'unavailable' },
      { records: { tags: { findByKeys: () => Promise.reject(new AppError('unavailable', 'no store')) } as never } },
      {},
    ],
  ])('%s', async (_title, expected, situation, over) => {
    await open(situation);
    expect(await ask(over)).toEqual(expected);
    expect(received).toEqual([]);
  });
});

describe('without a verdict', () => {
  it.each<[string, Respond]>([
    ['http_500', json({ allowed: true }, 500)],
    ['http_204', (response) => void response.writeHead(204).end()],
    ['redirect', (response) => void response.writeHead(302, { location: '/elsewhere' }).end()],
    ['no_json', json('allowed')],
    ['no_verdict', json({ charging_allowed: true })],
    ['too_large', json({ allowed: true, more: 'x'.repeat(16_384) })],
    ['reset', (response) => void response.destroy()],
  ])('the answer is a failure with the code %s', async (error, response) => {
    await open();
    respond = response;
    expect(await ask()).toMatchObject(failed(error));
    clock.advance(1_000);
    await eventually(() => endpoints.all.get('client')?.status.failures === 1);
    const at = '2026-01-01T12:00:00.000Z';
    expect(endpoints.all.get('client')?.status).toEqual({
      lastAskedAt: at,
      failures: 1,
      brokenUntil: null,
      lastError: error,
    });
  });

  it('the endpoint has its time, and no second request', async () => {
    await open({ endpoint: { onFailure: 'accept' } });
    respond = () => undefined;
    expect(await ask()).toMatchObject(failed('timeout', { verdict: 'accepted' }));
    expect(received).toHaveLength(1);
  });

  it.each([
    ['refused', 'a closed port', { url: 'http://127.0.0.1:1025/' }],
    ['address_refused', 'an address that is not public', { url: 'http://10.0.0.1:8080/' }],
    ['no_key', 'a secret of another key', { secret: secrets.encrypt(SECRET, 'another') }],
  ])('the answer is a failure with the code %s for %s', async (error, _title, endpoint) => {
    await open({ endpoint });
    expect(await ask()).toMatchObject(failed(error));
  });

  it('the answer is a failure where this process has no key', async () => {
    await open({ withoutKey: true });
    expect(await ask()).toMatchObject(failed('no_key'));
  });
});

describe('an endpoint that keeps failing', () => {
  const fail = async (): Promise<void> => {
    respond = json('', 500);
    for (let n = 0; n < 5; n += 1) expect(await ask()).toMatchObject(failed('http_500'));
  };

  it('is not asked for 10 s, then by one request at a time until one succeeds', async () => {
    await open();
    await fail();
    clock.advance(9_999);
    expect(await ask()).toEqual(failed('broken', { tookMs: null }));
    expect(received).toHaveLength(5);
    await eventually(() => endpoints.all.get('client')?.status.failures === 5);
    expect(endpoints.all.get('client')?.status.brokenUntil).toBe('2026-01-01T12:00:10.000Z');
    clock.advance(1);
    const waiting: ServerResponse[] = [];
    respond = (response) => void waiting.push(response);
    const probe = ask();
    await eventually(() => waiting.length === 1);
    expect(await ask()).toMatchObject(failed('broken'));
    waiting[0]?.writeHead(500).end();
    expect(await probe).toMatchObject(failed('http_500'));
    respond = json({ allowed: true });
    expect(await ask()).toMatchObject({ outcome: 'judged' });
    await Promise.all([ask(), ask()]);
    expect(received).toHaveLength(9);
    clock.advance(1_000);
    await eventually(() => endpoints.all.get('client')?.status.failures === 0);
    expect(endpoints.all.get('client')?.status).toMatchObject({ brokenUntil: null, lastError: null });
    expect(logger.lines.map(({ message }) => message)).toEqual([
      'an endpoint for real-time authorization keeps failing',
      'an endpoint for real-time authorization answers again',
    ]);
  });

  it('is asked again when its settings change', async () => {
    await open();
    await fail();
    const stored = endpoints.all.get('client');
    if (stored !== undefined) endpoints.all.set('client', { ...stored, revision: 2 });
    respond = json({ allowed: true });
    expect(await ask()).toMatchObject({ outcome: 'judged' });
  });

  it('is asked by a test of its owner, also about an own tag, disabled, and elsewhere', async () => {
    await open({ tags: [newTag({ idTag: '04ab' })], endpoint: { siteIds: [1], enabled: false } });
    respond = json('', 500);
    for (let n = 0; n < 6; n += 1) await ask({ action: 'test' });
    expect(received).toHaveLength(6);
  });
});

it('has at most 64 requests of a client in flight, and answers more as failures', async () => {
  await open();
  const waiting: ServerResponse[] = [];
  respond = (response) => void waiting.push(response);
  const asked = Array.from({ length: 70 }, () => ask());
  const busy = (await Promise.all(asked.slice(64))).map((answer) => answer.outcome === 'failed' && answer.error);
  expect(busy).toEqual(Array.from({ length: 6 }, () => 'busy'));
  await eventually(() => waiting.length === 64);
  for (const response of waiting) response.end('{"allowed":true}');
  await Promise.all(asked);
  respond = json({ allowed: true });
  expect(await ask()).toMatchObject({ outcome: 'judged' });
});

it('announces all endpoints at its start and every half minute, without those that are disabled', async () => {
  await open();
  const revision = 'rta_1/1';
  const terms = { revision, timeoutS: 1, onFailure: 'refuse' };
  await eventually(() => notices.length === 1);
  expect(notices).toEqual([{ clients: [{ clientId: 'client', terms }] }]);
  for (let n = 0; n < 200; n += 1) {
    const clientId = `d${String(n).padStart(3, '0')}`;
    endpoints.all.set(clientId, newAuthorizationEndpoint({ clientId, enabled: false }));
  }
  clock.advance(30_000);
  await eventually(() => notices.length === 3);
  expect(notices.slice(1).map(({ clients }) => clients.length)).toEqual([200, 1]);
  expect(notices[2]?.clients).toEqual([{ clientId: 'd199' }]);
});
