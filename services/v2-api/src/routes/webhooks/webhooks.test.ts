import { openPushPeer, type PushPeer } from '@busbar/api/testing';
import { createApiKey, type Permission } from '@busbar/domain/clients';
import { newDeadDelivery, newStanding } from '@busbar/domain/testing';
import { HEALTHY, type WebhookStanding } from '@busbar/domain/webhooks';
import { eventually, type HttpReply } from '@busbar/testing';
import { codeOf, openApp, type TestApp } from '../../testing/open-app';
import { createEventWriter, eventCharger } from '../../testing/write-events';

const URL = 'https://hooks.example.com/busbar';
const DEFAULTS = {
  url: URL,
  description: '',
  format: 'standard',
  types: ['*'],
  siteIds: null,
  includeSubsites: false,
  chargerIds: null,
  ordering: 'charger',
  maxInFlight: 8,
  enabled: true,
  status: 'active',
  statusReason: null,
  failingSince: null,
  nextAttemptAt: null,
  lastDeliveryAt: null,
  lastSuccessAt: null,
  waiting: 0,
  oldestWaitingAt: null,
  parked: 0,
  gap: null,
};

let app: TestApp;
let world: TestApp;
let push: PushPeer;

beforeAll(async () => {
  app = await openApp();
  push = await openPushPeer(app.platform);
});
beforeEach(async () => {
  world = await app.withNewClients();
});
afterAll(() => app.close());

const hints = () => push.hints.filter(({ clientId }) => clientId === world.own.client.clientId);

async function created(over: object = {}): Promise<{ readonly id: string; readonly reply: HttpReply }> {
  const reply = await world.post('/webhooks', { url: URL, ...over });
  expect(reply.status).toBe(200);
  return { id: String(reply.json()['id']), reply };
}
const read = async (id: string) => (await world.call('GET', `/webhooks/${id}`)).json();
const patch = (id: string, body: object, headers: Record<string, string> = {}) =>
  world.call('PATCH', `/webhooks/${id}`, { body, headers });

async function keyWith(...permissions: readonly Permission[]): Promise<Record<string, string>> {
  const { platform, own } = world;
  const input = { clientId: own.client.clientId, name: 'narrow', permissions, expiresAt: null };
  const { secret } = await createApiKey({ ...platform.records, clock: { now: () => new Date() } as never }, input);
  return { 'x-api-key': secret };
}

/** As push stores it. */
async function stand(id: string, over: (standing: WebhookStanding) => Partial<WebhookStanding>): Promise<void> {
  const { webhooks, webhookStandings, feed } = world.platform.records;
  const { clientId } = world.own.client;
  const webhook = await webhooks.find(clientId, id);
  if (webhook === undefined) throw new Error('no webhook');
  const { begin, activation } = webhook;
  const { pages } = begin.position;
  const progress = { pages, taken: pages.map(() => 0), above: [], deferred: [] };
  const generation = (await feed.identity())?.generation ?? '';
  const own = newStanding({ webhookId: id, clientId, beginId: begin.id, activation, generation, progress });
  expect(await webhookStandings.save({ ...own, ...over(own) }, 0)).toBe(true);
}

const isDisabled = (statusReason: 'gone' | 'no_success_72h') => () => ({
  health: { ...HEALTHY, status: 'disabled' as const, statusReason, failingSinceMs: Date.parse('2026-01-01T00:00:00Z') },
});

describe('a webhook', () => {
  it('is created with defaults, and its secret is shown once', async () => {
    const { id, reply } = await created();
    expect(id).toMatch(/^wh_[0-9a-z]{26}$/);
    expect(reply.json()).toMatchObject({ ...DEFAULTS, secret: expect.stringMatching(/^whsec_.{44}$/) as string });
    expect(Buffer.from(String(reply.json()['secret']).slice(6), 'base64')).toHaveLength(32);
    const shown = await world.call('GET', `/webhooks/${id}`);
    expect(shown.json()).toMatchObject(DEFAULTS);
    for (const text of ['secret', 'authorization', 'whsec_', 'v1.']) expect(shown.text).not.toContain(text);
    expect(shown.headers['etag']).toBe('"1"');
    const { items } = (await world.call('GET', '/webhooks')).json();
    expect(items).toEqual([shown.json()]);
  });

  it('is stored with its secrets encrypted, and none reaches the log', async () => {
    const { id, reply } = await created({ format: 'push-v1', authorization: 'Bearer very-secret' });
    const stored = await world.platform.records.webhooks.find(world.own.client.clientId, id);
    const text = JSON.stringify([stored, world.logger.lines]);
    expect(text).not.toContain('very-secret');
    expect(text).not.toContain(String(reply.json()['secret']).slice(6));
    expect(reply.text).not.toContain('very-secret');
  });

  it.each([
    [
      'push-v1',
      undefined,
      ['ChargerState', 'ChargerBoot', 'ChargingTransaction', 'FullChargingTransaction', 'Measurements'],
    ],
    ['push-v2', ['Measurements'], ['Measurements']],
  ])('has in the format %s kinds as types: %j', async (format, types, expected) => {
    const { reply } = await created({ format, types });
    expect(reply.json()).toMatchObject({ format, types: expected });
  });

  it('accepts null in place of an absent field', async () => {
    const none = {
      description: null,
      format: null,
      types: null,
      siteIds: null,
      includeSubsites: null,
      chargerIds: null,
    };
    const rest = { ordering: null, maxInFlight: null, startAt: null, authorization: null, enabled: null };
    expect((await created({ ...none, ...rest })).reply.json()).toMatchObject(DEFAULTS);
  });

  it('is changed, replaced by null with the default, and deleted; each change is announced', async () => {
    const { id } = await created({ description: 'first', types: ['session.*'] });
    const changed = await patch(id, { url: `${URL}/2`, maxInFlight: 32, ordering: 'none', description: null });
    const fields = { url: `${URL}/2`, maxInFlight: 32, ordering: 'none', description: '', types: ['session.*'] };
    expect(changed.json()).toMatchObject({ ...DEFAULTS, ...fields });
    expect(changed.headers['etag']).toBe('"2"');
    expect((await patch(id, { types: null })).json()).toMatchObject({ types: ['*'] });
    expect((await patch(id, { format: 'push-v2' })).json()['types']).toContain('ChargerState');
    expect((await world.call('DELETE', `/webhooks/${id}`)).json()).toEqual({ id });
    expect(codeOf(await world.call('GET', `/webhooks/${id}`))).toBe('404 not_found');
    expect(codeOf(await world.call('DELETE', `/webhooks/${id}`))).toBe('404 not_found');
    const hint = { clientId: world.own.client.clientId, webhookId: id };
    await eventually(() => hints().length === 5);
    expect(hints()).toEqual([hint, hint, hint, hint, hint]);
  });

  it('keeps its version in a change without effect, and checks If-Match', async () => {
    const { id } = await created();
    expect((await patch(id, { maxInFlight: 8, enabled: true })).headers['etag']).toBe('"1"');
    expect((await patch(id, { maxInFlight: 9 }, { 'if-match': '"1"' })).headers['etag']).toBe('"2"');
    expect(codeOf(await patch(id, { maxInFlight: 9 }, { 'if-match': '"1"' }))).toBe('412 precondition_failed');
    const headers = { 'if-match': '"1"' };
    expect(codeOf(await world.call('DELETE', `/webhooks/${id}`, { headers }))).toBe('412 precondition_failed');
    expect(hints()).toHaveLength(2);
  });

  it('is nobody else’s: another client gets 404 for each path', async () => {
    const { id } = await created();
    const headers = { 'x-api-key': world.other.secret };
    const calls: [string, string, object?][] = [
      ['GET', ''],
      ['PATCH', '', { maxInFlight: 9 }],
      ['DELETE', ''],
      ['POST', '/secret', {}],
      ['POST', '/test', {}],
      ['GET', '/deliveries'],
      ['GET', '/parked'],
      ['POST', '/redeliver', { eventIds: ['e'] }],
      ['POST', '/replay', { after: '2026-01-01T00:00:00Z' }],
    ];
    for (const [method, path, body] of calls) {
      const reply = await world.call(method, `/webhooks/${id}${path}`, { headers, ...(body ? { body } : {}) });
      expect([method, path, codeOf(reply)]).toEqual([method, path, '404 not_found']);
    }
    expect((await world.call('GET', '/webhooks', { headers })).json()).toMatchObject({ items: [] });
  });

  it('is one of sixteen of a client, also where they are created at the same time', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => world.post('/webhooks', { url: URL })));
    const codes = replies.map((reply) => (reply.status === 200 ? 'created' : codeOf(reply)));
    expect(codes.toSorted()).toEqual([...Array<string>(4).fill('409 conflict'), ...Array<string>(16).fill('created')]);
  });
});

describe('bad input', () => {
  const chargers = Array.from({ length: 101 }, (_, n) => `A${String(n)}`);

  it.each<[string, string, object]>([
    ['400 invalid_webhook_url', 'a URL without TLS', { url: 'http://hooks.example.com/' }],
    ['400 invalid_webhook_url', 'a text that is no URL', { url: 'no url' }],
    ['400 invalid_webhook_url', 'an empty URL', { url: '' }],
    ['400 invalid_webhook_url', 'a URL above 2,000 characters', { url: `${URL}/${'a'.repeat(2_000)}` }],
    ['400 invalid_webhook_url', 'a URL with a user name', { url: 'https://me@hooks.example.com/' }],
    ['400 invalid_webhook_url', 'a URL with a fragment', { url: `${URL}#a` }],
    ['400 invalid_webhook_url', 'a privileged port', { url: 'https://hooks.example.com:22/' }],
    ['400 invalid_webhook_url', 'a local name', { url: 'https://printer.local/' }],
    ['400 invalid_webhook_url', 'a URL that is a number', { url: 7 }],
    ['400 invalid_request', 'an unknown type', { types: ['session.begun'] }],
    ['400 invalid_request', 'no types', { types: [] }],
    ['400 invalid_request', 'kinds of push formats in the standard format', { types: ['Measurements'] }],
    ['400 invalid_request', 'types of events in a push format', { format: 'push-v1', types: ['session.*'] }],
    ['400 invalid_request', 'an unknown format', { format: 'push-v3' }],
    ['400 invalid_request', 'an unknown site', { siteIds: [4711] }],
    ['400 invalid_request', 'a site that is no number', { siteIds: ['x'] }],
    ['400 invalid_request', 'no sites', { siteIds: [] }],
    ['400 invalid_charger_id', 'a charger id that cannot be', { chargerIds: ['a/b'] }],
    ['400 invalid_request', '101 chargers', { chargerIds: chargers }],
    ['400 invalid_request', 'an unknown ordering', { ordering: 'site' }],
    ['400 invalid_request', 'no request in flight', { maxInFlight: 0 }],
    ['400 invalid_request', '33 requests in flight', { maxInFlight: 33 }],
    ['400 invalid_request', 'an authorization in the standard format', { authorization: 'Bearer token' }],
    [
      '400 invalid_request',
      'an authorization with control characters',
      { format: 'push-v1', authorization: 'a\r\nb: c' },
    ],
    [
      '400 invalid_request',
      'an authorization of 1,001 characters',
      { format: 'push-v1', authorization: 'x'.repeat(1_001) },
    ],
    ['400 invalid_request', 'a place that is no cursor', { startAt: 'yesterday' }],
    ['400 invalid_request', 'an enabled that is no boolean', { enabled: 'yes' }],
    ['400 invalid_request', 'an unknown field', { retries: 7 }],
  ])('gets %s where a webhook is created or changed with %s', async (code, _title, over) => {
    expect(codeOf(await world.post('/webhooks', { url: URL, ...over }))).toBe(code);
    const { id, reply } = await created();
    expect(codeOf(await patch(id, over))).toBe(code);
    expect(reply.json()).toMatchObject(await read(id));
  });

  it('gets the reason with a refused URL, and the place of an unknown type', async () => {
    const refused = await world.post('/webhooks', { url: 'https://10.0.0.1/' });
    expect(refused.json()).toMatchObject({ detail: 'The address of the URL is not public.' });
    const unknown = await world.post('/webhooks', { url: URL, types: ['*', 'Measurements'] });
    expect(unknown.json()['errors']).toMatchObject([{ path: '/types/1' }]);
  });

  it('gets 400 where no URL is given', async () => {
    expect(codeOf(await world.post('/webhooks', {}))).toBe('400 invalid_request');
  });

  it('gets 400 for a standard format that would keep an authorization', async () => {
    const { id } = await created({ format: 'push-v1', authorization: 'x'.repeat(1_000) });
    expect(codeOf(await patch(id, { format: 'standard' }))).toBe('400 invalid_request');
    expect((await patch(id, { format: 'standard', authorization: null })).json()).toMatchObject({ types: ['*'] });
  });

  it.each<[string, string, string, object]>([
    ['400 invalid_request', 'a negative grace', '/secret', { graceS: -1 }],
    ['400 invalid_request', 'a grace above a week', '/secret', { graceS: 604_801 }],
    ['400 invalid_request', 'no events', '/redeliver', { eventIds: [] }],
    ['400 invalid_request', '101 events', '/redeliver', { eventIds: Array.from({ length: 101 }, String) }],
    ['400 invalid_request', 'no place', '/replay', {}],
    ['400 invalid_request', 'a place that is no cursor', '/replay', { after: 'now' }],
    ['400 invalid_request', 'a time that is none', '/replay', { after: '2026-13-01T00:00:00Z' }],
    ['400 invalid_request', 'a time without a zone', '/replay', { after: '2026-01-01T00:00:00' }],
    ['400 invalid_request', 'a time in the future', '/replay', { after: '2999-01-01T00:00:00Z' }],
    [
      '400 invalid_request',
      'an end before the beginning',
      '/replay',
      { after: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' },
    ],
    ['400 invalid_request', 'an unknown field', '/test', { url: URL }],
  ])('gets %s for %s at %s', async (code, _title, path, body) => {
    const { id } = await created();
    expect(codeOf(await world.post(`/webhooks/${id}${path}`, body))).toBe(code);
  });

  it.each(['?outcome=lost', '?from=yesterday', '?limit=0', '?types=a', '?sortKey=eventId'])(
    'gets 400 for deliveries%s',
    async (query) => {
      const { id } = await created();
      expect(codeOf(await world.call('GET', `/webhooks/${id}/deliveries${query}`))).toBe('400 invalid_request');
    },
  );
});

describe('permissions', () => {
  it.each([
    ['*', ['chargers:read', 'sessions:read', 'tags:read', 'logs:read', 'webhooks:read'], 'webhooks:read'],
    ['session.*', ['sessions:read'], 'sessions:read'],
    ['charger.connected', ['chargers:read'], 'chargers:read'],
  ] as const)('of each type are needed to create one for %s', async (type, needed, missing) => {
    const body = { url: URL, types: [type] };
    const lacking = needed.filter((permission) => permission !== missing);
    const refused = await world.call('POST', '/webhooks', {
      body,
      headers: await keyWith('webhooks:write', ...lacking),
    });
    expect([codeOf(refused), refused.text.includes(missing)]).toEqual(['403 forbidden', true]);
    const headers = await keyWith('webhooks:write', ...needed);
    expect((await world.call('POST', '/webhooks', { body, headers })).status).toBe(200);
  });

  it('of each type are needed to widen one, and not to narrow or slow it', async () => {
    const { id } = await created({ types: ['session.*', 'tag.checked'], chargerIds: ['A', 'B'] });
    const headers = await keyWith('webhooks:write', 'sessions:read');
    for (const change of [{ maxInFlight: 1 }, { enabled: false }, { description: 'x' }, { ordering: 'none' }]) {
      expect([change, codeOf(await patch(id, change, headers))]).toEqual([change, '200 undefined']);
    }
    for (const change of [{ url: `${URL}/2` }, { chargerIds: null }, { enabled: true }, { startAt: 'oldest' }]) {
      expect([change, codeOf(await patch(id, change, headers))]).toEqual([change, '403 forbidden']);
    }
    expect((await patch(id, { types: ['session.*'] }, headers)).status).toBe(200);
    expect((await patch(id, { url: `${URL}/2`, chargerIds: null }, headers)).status).toBe(200);
    expect(codeOf(await patch(id, { types: ['*'] }, headers))).toBe('403 forbidden');
  });

  it('of kinds are those of their events', async () => {
    const headers = await keyWith('webhooks:write', 'chargers:read');
    const create = (types: string[]) =>
      world.call('POST', '/webhooks', { body: { url: URL, format: 'push-v2', types }, headers });
    expect((await create(['ChargerState', 'ChargerBoot'])).status).toBe(200);
    expect(codeOf(await create(['Measurements']))).toBe('403 forbidden');
  });
});

describe('without a key for secrets', () => {
  it('responds 503 to what stores a secret, and serves everything else', async () => {
    const { id } = await created();
    const call = await world.second({ secrets: undefined });
    expect(codeOf(await call('POST', '/webhooks', { body: { url: URL } }))).toBe('503 unavailable');
    expect(codeOf(await call('POST', `/webhooks/${id}/secret`, { body: {} }))).toBe('503 unavailable');
    const authorized = { format: 'push-v1', authorization: 'x' };
    expect(codeOf(await call('PATCH', `/webhooks/${id}`, { body: authorized }))).toBe('503 unavailable');
    expect((await call('PATCH', `/webhooks/${id}`, { body: { maxInFlight: 2 } })).status).toBe(200);
    expect((await call('GET', '/webhooks')).status).toBe(200);
    expect((await call('GET', '/sites')).status).toBe(200);
    expect((await call('DELETE', `/webhooks/${id}`)).status).toBe(200);
  });
});

describe('the status', () => {
  it('is what push stored, until its owner enables it again', async () => {
    const { id } = await created();
    await stand(id, isDisabled('gone'));
    expect(await read(id)).toMatchObject({
      status: 'disabled',
      statusReason: 'gone',
      failingSince: '2026-01-01T00:00:00.000Z',
      enabled: true,
    });
    const enabled = (await patch(id, { enabled: true })).json();
    expect(enabled).toMatchObject({ status: 'active', statusReason: null, failingSince: null });
    const [before, after] = [1, 2];
    const stored = await world.platform.records.webhooks.find(world.own.client.clientId, id);
    expect([before, stored?.activation]).toEqual([1, after]);
  });

  it('is failing with its beginning, the times of deliveries, and the gap', async () => {
    const { id } = await created();
    const gap = { from: '2026-01-01T00:00:00.000Z', to: '2026-01-02T00:00:00.000Z' };
    const [since, success] = ['2026-01-03T00:00:00.000Z', '2026-01-02T23:00:00.000Z'];
    const next = '2026-01-03T00:00:05.000Z';
    const health = {
      ...HEALTHY,
      status: 'failing' as const,
      failingSinceMs: Date.parse(since),
      nextProbeMs: Date.parse(next),
    };
    await stand(id, () => ({
      gap,
      lastDeliveryAt: since,
      health: { ...health, lastSuccessMs: Date.parse(success) },
    }));
    const times = { failingSince: since, nextAttemptAt: next, lastDeliveryAt: since, lastSuccessAt: success };
    expect(await read(id)).toMatchObject({ status: 'failing', statusReason: null, gap, ...times });
  });

  it('is active with the next attempt of an event that was refused', async () => {
    const { id } = await created();
    const next = '2026-01-03T00:00:05.000Z';
    const queue = { partition: 0, page: 1, index: 0, chargerId: 'A', attempts: 1, firstStartedMs: 0, messages: 0 };
    await stand(id, ({ progress }) => ({
      progress: {
        ...progress,
        deferred: [
          { ...queue, eventId: 'evt_1', nextAttemptMs: Date.parse(next) + 60_000 },
          { ...queue, eventId: 'evt_2', nextAttemptMs: Date.parse(next) },
          // Behind an event that was refused before, or that was given up: nothing of these was refused.
          { ...queue, eventId: 'evt_3', attempts: 0, nextAttemptMs: 0 },
          { ...queue, eventId: null, attempts: 0, nextAttemptMs: 0 },
        ],
      },
    }));
    expect(await read(id)).toMatchObject({ status: 'active', failingSince: null, nextAttemptAt: next });
  });

  it('is disabled by its owner, and refuses what would send', async () => {
    const { id } = await created({ enabled: false });
    expect(await read(id)).toMatchObject({ status: 'disabled', statusReason: 'owner', enabled: false });
    for (const [path, body] of [
      ['test', {}],
      ['redeliver', { eventIds: ['e'] }],
      ['replay', { after: '2026-01-01T00:00:00Z' }],
    ] as const) {
      expect(codeOf(await world.post(`/webhooks/${id}/${path}`, body))).toBe('409 webhook_disabled');
    }
    const secret = await world.post(`/webhooks/${id}/secret`, {});
    expect(secret.status).toBe(200);
  });
});

describe('what waits', () => {
  it('are the events of the feed behind its place that match it', async () => {
    const [ours, others] = [eventCharger('A', 1), eventCharger('B', 2)];
    const writer = createEventWriter(world);
    const before = (await created({ types: ['*', 'meter.values'] })).id;
    await writer.write(ours, 'charger.connected', 'meter.values', 'session.started');
    await writer.write(others, 'charger.connected');
    const after = (await created()).id;
    const narrow = (await created({ startAt: 'oldest', types: ['charger.*'], chargerIds: ['A'] })).id;
    const kinds = (await created({ startAt: 'oldest', format: 'push-v1', types: ['Measurements'] })).id;
    expect((await read(before))['waiting']).toBe(4);
    expect((await read(after))['waiting']).toBe(0);
    expect((await read(narrow))['waiting']).toBe(1);
    expect((await read(kinds))['waiting']).toBe(1);
    const { items } = (await world.call('GET', '/webhooks?sortKey=createdAt')).json() as {
      items: { waiting: number }[];
    };
    expect(items.map(({ waiting }) => waiting)).toEqual([4, 0, 1, 1]);
  });

  it('begins with a cursor, and 410 says that it is too old', async () => {
    const charger = eventCharger('A');
    const writer = createEventWriter(world);
    const cursor = async () => String((await world.call('GET', '/events?after=now')).json()['cursor']);
    const old = await cursor();
    await writer.write(charger, 'charger.connected');
    const startAt = await cursor();
    await writer.write(charger, 'charger.disconnected', 'charger.connected');
    expect((await created({ startAt })).reply.json()).toMatchObject({ waiting: 2 });
    await writer.removeOldest(charger);
    const expired = await world.post('/webhooks', { url: URL, startAt: old });
    expect([codeOf(expired), typeof expired.json()['oldest']]).toEqual(['410 cursor_expired', 'string']);
  });

  it('counts parked events, and lists them newest first', async () => {
    const { id } = await created();
    const { clientId } = world.own.client;
    for (const n of [1, 2]) {
      const parkedAt = `2026-01-0${String(n)}T00:00:00.000Z`;
      await world.platform.records.deadDeliveries.insert(
        newDeadDelivery({ webhookId: id, clientId, eventId: `evt_I_${String(n)}`, parkedAt, event: '{"private":1}' }),
      );
    }
    expect(await read(id)).toMatchObject({ parked: 2 });
    const parked = await world.call('GET', `/webhooks/${id}/parked?limit=1`);
    expect(parked.json()).toMatchObject({
      totalRecords: 2,
      hasNextPage: true,
      items: [{ eventId: 'evt_I_2', attempts: 6, lastError: 'http_500', parkedAt: '2026-01-02T00:00:00.000Z' }],
    });
    expect(parked.text).not.toContain('private');
  });
});
