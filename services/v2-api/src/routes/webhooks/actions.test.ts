import { openPushPeer } from '@busbar/api/testing';
import { createId } from '@busbar/core';
import { newAttempt } from '@busbar/domain/testing';
import { codeOf, openApp, type TestApp } from '../../testing/open-app';
import { createEventWriter, eventCharger } from '../../testing/write-events';

const HOUR_MS = 3_600_000;
const URL = 'https://hooks.example.com/busbar';

type Answer = NonNullable<Parameters<typeof openPushPeer>[1]>;

let world: TestApp;
let id: string;
let secret: string;

beforeEach(async () => {
  world = await openApp();
  const created = (await world.post('/webhooks', { url: URL })).json();
  id = String(created['id']);
  secret = String(created['secret']);
});
afterEach(() => world.close());

const stored = async () => {
  const webhook = await world.platform.records.webhooks.find(world.own.client.clientId, id);
  if (webhook === undefined) throw new Error('no webhook');
  return webhook;
};

describe('a new signing secret', () => {
  const rotate = async (body: object) => String((await world.post(`/webhooks/${id}/secret`, body)).json()['secret']);

  it('signs beside the one before it until the grace is over', async () => {
    const before = Date.now();
    const next = await rotate({ graceS: 60 });
    expect([next === secret, next.startsWith('whsec_')]).toEqual([false, true]);
    const { secrets, revision } = await stored();
    expect([revision, secrets.length, secrets[0]?.endsAt]).toEqual([2, 2, null]);
    const ends = Date.parse(secrets[1]?.endsAt ?? '') - before;
    expect(ends).toBeGreaterThanOrEqual(60_000);
    expect(ends).toBeLessThan(90_000);
  });

  it('signs for a day beside the one before it, unless a grace is given', async () => {
    await rotate({});
    const { secrets } = await stored();
    const hours = (Date.parse(secrets[1]?.endsAt ?? '') - Date.now()) / HOUR_MS;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThanOrEqual(24);
  });

  it('is the only one without a grace, and takes the place of the oldest of two', async () => {
    await rotate({ graceS: 0 });
    expect((await stored()).secrets).toHaveLength(1);
    const [first] = (await stored()).secrets;
    await rotate({ graceS: 60 });
    const [second, before] = (await stored()).secrets;
    expect(before?.encrypted).toBe(first?.encrypted);
    await rotate({ graceS: 60 });
    const { secrets } = await stored();
    expect([secrets.length, secrets[1]?.encrypted]).toEqual([2, second?.encrypted]);
  });

  it('is one for each of two that are asked for at the same time, and both sign', async () => {
    const both = await Promise.all([rotate({ graceS: 60 }), rotate({ graceS: 60 })]);
    expect(new Set([secret, ...both]).size).toBe(3);
    expect(await stored()).toMatchObject({ revision: 3, secrets: [{ endsAt: null }, {}] });
  });
});

describe('a request to push', () => {
  const test = () => world.post(`/webhooks/${id}/test`, {});
  const answer = (given: Answer) => openPushPeer(world.platform, given);
  const owned = () => ({ clientId: world.own.client.clientId, webhookId: id });

  it('sends a test event, and shows what became of it', async () => {
    const shown = { outcome: 'refused', httpStatus: 500, tookMs: 12, responseBody: 'no', error: 'http_500' } as const;
    const push = await answer({ result: 'tested', ...shown });
    expect((await test()).json()).toEqual(shown);
    expect(push.requests).toEqual([{ request: 'test', ...owned() }]);
  });

  it('sends events again, each once', async () => {
    const push = await answer({ result: 'accepted', accepted: 2 });
    const reply = await world.post(`/webhooks/${id}/redeliver`, { eventIds: ['e1', 'e2', 'e1'] });
    expect(reply.json()).toEqual({ accepted: 2 });
    expect(push.requests).toEqual([{ request: 'redeliver', ...owned(), eventIds: ['e1', 'e2'] }]);
  });

  it.each<[string, Answer]>([
    ['429 rate_limited', { result: 'busy' }],
    ['404 not_found', { result: 'gone' }],
    ['409 webhook_disabled', { result: 'disabled' }],
    ['503 unavailable', { result: 'no_key' }],
  ])('gets %s where push answers %j', async (code, given) => {
    await answer(given);
    const replies = [await test(), await world.post(`/webhooks/${id}/redeliver`, { eventIds: ['e'] })];
    expect(replies.map(codeOf)).toEqual([code, code]);
  });

  it('gets 503 at once where nobody answers', async () => {
    const begun = Date.now();
    expect(codeOf(await test())).toBe('503 unavailable');
    expect(Date.now() - begun).toBeLessThan(5_000);
  });
});

describe('delivery attempts', () => {
  it('are listed newest first with their filters', async () => {
    const { clientId } = world.own.client;
    const at = (n: number) => ({
      id: createId(Date.UTC(2026, 0, 1, n)),
      at: new Date(Date.UTC(2026, 0, 1, n)).toISOString(),
    });
    const own = { webhookId: id, clientId };
    await world.platform.records.deliveryLog.append([
      // Stored before the request was recorded.
      newAttempt({ ...at(1), ...own, request: undefined }),
      newAttempt({ ...at(2), ...own, outcome: 'refused', httpStatus: 422, error: 'http_422', chargerId: 'B' }),
      newAttempt({ ...at(3), ...own, outcome: 'failed', httpStatus: null, error: 'timeout', nextAttemptAt: at(4).at }),
      newAttempt({ ...at(4), webhookId: 'wh_other', clientId }),
    ]);
    const list = async (query: string) => {
      const { items } = (await world.call('GET', `/webhooks/${id}/deliveries${query}`)).json() as {
        items: { at: string }[];
      };
      return items.map((each) => new Date(each.at).getUTCHours());
    };
    expect(await list('')).toEqual([3, 2, 1]);
    expect(await list('?outcome=failed')).toEqual([3]);
    expect(await list('?outcome=delivered')).toEqual([1]);
    expect(await list('?chargerId=B')).toEqual([2]);
    expect(await list('?eventId=evt_I_1&from=2026-01-01T03:00:00%2B01:00&sortDescending=false&sortKey=at')).toEqual([
      2, 3,
    ]);
    expect(await list('?to=2026-01-01T01:00:00Z')).toEqual([1]);
    expect(await list('?limit=1&page=2')).toEqual([2]);
    const { items } = (await world.call('GET', `/webhooks/${id}/deliveries?outcome=failed`)).json();
    const request = { url: 'https://receiver.example/', headers: { 'webhook-id': 'evt_I_1' }, body: null };
    expect(items).toMatchObject([{ error: 'timeout', httpStatus: null, attempt: 1, nextAttemptAt: at(4).at, request }]);
    const old = (await world.call('GET', `/webhooks/${id}/deliveries?outcome=delivered`)).json();
    expect(old['items']).toMatchObject([{ request: null }]);
  });
});

describe('a replay', () => {
  const replay = (body: object) => world.post(`/webhooks/${id}/replay`, body);
  const cursor = async () => String((await world.call('GET', '/events?after=now')).json()['cursor']);

  it('begins at a cursor, and all behind it waits again', async () => {
    const writer = createEventWriter(world);
    const from = await cursor();
    await writer.write(eventCharger('A'), 'charger.connected', 'charger.disconnected');
    const push = await openPushPeer(world.platform);
    const first = await stored();
    expect((await replay({ after: from })).json()).toEqual({ from });
    const { begin, revision, activation } = await stored();
    expect([begin.id === first.begin.id, revision, activation]).toEqual([false, 2, 1]);
    expect(push.hints).toHaveLength(1);
    expect((await world.call('GET', `/webhooks/${id}`)).json()).toMatchObject({ waiting: 2, status: 'active' });
  });

  it('begins at a time, with all events of that time and later', async () => {
    const writer = createEventWriter(world);
    await writer.write(eventCharger('A'), 'charger.connected');
    const after = new Date(Date.now() - HOUR_MS).toISOString();
    expect((await replay({ after, to: new Date().toISOString() })).status).toBe(200);
    expect((await world.call('GET', `/webhooks/${id}`)).json()).toMatchObject({ waiting: 1 });
    expect((await stored()).begin.until).toBeDefined();
    await new Promise((resolve) => setImmediate(resolve));
    expect((await replay({ after: new Date().toISOString() })).status).toBe(200);
  });

  it('responds 410 with the oldest cursor where that place was deleted by age', async () => {
    const writer = createEventWriter(world);
    const charger = eventCharger('A');
    const old = await cursor();
    await writer.write(charger, 'charger.connected');
    await writer.write(charger, 'charger.disconnected');
    await writer.removeOldest(charger);
    for (const after of [old, new Date(Date.now() - HOUR_MS).toISOString()]) {
      const reply = await replay({ after });
      expect([codeOf(reply), typeof reply.json()['oldest']]).toEqual(['410 cursor_expired', 'string']);
    }
    expect((await stored()).revision).toBe(1);
  });

  it('refuses a cursor of another client', async () => {
    const headers = { 'x-api-key': world.other.secret };
    const after = (await world.call('GET', '/events?after=now', { headers })).json()['cursor'];
    expect(codeOf(await replay({ after }))).toBe('400 invalid_request');
  });
});
