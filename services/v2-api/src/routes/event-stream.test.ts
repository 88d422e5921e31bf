import { request } from 'node:http';
import type { FeedPageId } from '@busbar/domain/feed';
import { createHurriedClock, eventually, serve, type Served } from '@busbar/testing';
import { codeOf, openApp, type TestApp } from '../testing/open-app';
import { openEventStream, type TestStream } from '../testing/open-stream';
import { createEventWriter, eventCharger } from '../testing/write-events';

const SECONDS_A_SECOND = 10;

let world: TestApp;
let served: Served;
let events: ReturnType<typeof createEventWriter>;
let hint: (page: FeedPageId) => void;
let streams: TestStream[];
beforeAll(async () => {
  const feedHints = { listen: (handler: typeof hint) => void (hint = handler) };
  world = await openApp({ clock: createHurriedClock(SECONDS_A_SECOND), feedHints });
  served = await serve(world.app.handle);
  events = createEventWriter(world, (page) => hint(page));
});
afterAll(async () => {
  await served.close();
  await world.close();
});
beforeEach(() => {
  streams = [];
});
afterEach(() => {
  for (const stream of streams) stream.leave();
});

async function open(query = '', headers: Readonly<Record<string, string>> = {}): Promise<TestStream> {
  const stream = await openEventStream(`${served.origin}/v2/events/stream${query}`, {
    'x-api-key': world.own.secret,
    ...headers,
  });
  streams.push(stream);
  return stream;
}

async function cursor(after: string): Promise<string> {
  return String((await world.call('GET', `/events?limit=1000&after=${after}`)).json()['cursor']);
}

const typesOf = (stream: TestStream) => stream.events().map(({ event }) => event);

it('streams new events with their cursors, and the headers that keep proxies from collecting them', async () => {
  const charger = eventCharger('S1');
  await events.write(charger, 'charger.created');
  const stream = await open();
  expect(Object.fromEntries(stream.response.headers)).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  const written = await events.write(charger, 'charger.booted', 'session.started');
  await eventually(() => stream.events().length === 2);
  expect(stream.text()).toMatch(/^retry: 3000\n\n/);
  expect(stream.events()).toEqual(
    written.map((event) => ({ id: expect.any(String) as string, event: event.type, data: event })),
  );
});

it('resumes behind Last-Event-ID, which goes before after, and behind a cursor of a page', async () => {
  const charger = eventCharger('S2');
  const first = await open();
  await events.write(charger, 'charger.created', 'charger.connected', 'charger.booted');
  await eventually(() => first.events().length === 3);
  first.leave();
  await events.write(charger, 'session.started');
  const id = first.events()[1]?.id ?? '';
  const second = await open('?after=now', { 'last-event-id': id });
  const third = await open(`?after=${id}&types=session.*`);
  const fourth = await open(`?after=oldest&chargerIds=S2`, { 'last-event-id': '' });
  await events.write(charger, 'session.ended');
  await eventually(() => second.events().length === 3 && third.events().length === 2 && fourth.events().length === 5);
  expect(typesOf(second)).toEqual(['charger.booted', 'session.started', 'session.ended']);
  expect(typesOf(third)).toEqual(['session.started', 'session.ended']);
});

it('sends a backlog of many pages once each, in order, and then what comes meanwhile', async () => {
  const after = await cursor('now');
  const charger = eventCharger('S3');
  for (let page = 0; page < 130; page += 1) await events.write(charger, 'charger.booted', 'charger.connected');
  const opening = open(`?after=${after}`);
  for (let page = 0; page < 20; page += 1) await events.write(charger, 'charger.booted');
  const stream = await opening;
  await eventually(() => stream.events().length >= 280);
  expect(stream.events().map(({ data }) => data['sequence'])).toEqual(Array.from({ length: 280 }, (_, n) => n + 1));
  // The cursor of any event continues there, in a page as in a stream.
  const id = stream.events()[101]?.id ?? '';
  const page = await world.call('GET', `/events?limit=1&after=${id}`);
  expect(page.json()['items']).toMatchObject([{ sequence: 103 }]);
});

it('ends when its key is revoked', async () => {
  const made = (await world.post('/api-keys', { name: 'stream', permissions: ['events:read'] })).json();
  const { id, key } = made as { id: string; key: string };
  const stream = await open('', { 'x-api-key': key });
  expect((await world.call('DELETE', `/api-keys/${id}`)).status).toBe(200);
  await eventually(() => stream.hasEnded());
  expect(stream.events()).toEqual([{ event: 'end', data: { reason: 'key_revoked' } }]);
});

it.each([
  [{ accept: 'application/json' }, '', '406 not_acceptable'],
  [{ 'last-event-id': 'mine' }, '', '400 invalid_request'],
  [{}, '?after=mine', '400 invalid_request'],
  [{}, '?types=charger.exploded', '400 invalid_request'],
  [{}, '?limit=1', '400 invalid_request'],
])('refuses %j %s with %s', async (headers, query, code) => {
  expect(codeOf(await world.call('GET', `/events/stream${query}`, { headers }))).toBe(code);
});

it('refuses a type that is named without its permission', async () => {
  const made = (await world.post('/api-keys', { name: 'stream', permissions: ['events:read'] })).json();
  const headers = { 'x-api-key': String(made['key']) };
  const reply = await world.call('GET', '/events/stream?types=tag.checked', { headers });
  expect(codeOf(reply)).toBe('403 forbidden');
});

it('limits the streams of a key to 20', async () => {
  for (let n = 0; n < 20; n += 1) expect((await open()).response.status).toBe(200);
  const { response } = await open();
  expect([response.status, Number(response.headers.get('retry-after')) > 0]).toEqual([429, true]);
  streams[0]?.leave();
  await eventually(async () => (await open()).response.status === 200);
});

describe('a request that waits', () => {
  const wait = (query: string) => world.call('GET', `/events?waitS=30&${query}`);

  it('gets the first event as soon as it is there, and only wanted ones', async () => {
    const reply = wait('after=now&types=session.ended');
    const charger = eventCharger('W1');
    const written = await events.write(charger, 'session.started', 'session.ended');
    // It may have begun before or after the event.
    await events.write(charger, 'session.ended');
    const page = (await reply).json();
    expect(page['items']).toMatchObject([{ type: 'session.ended' }]);
    const after = String(page['cursor']);
    expect(written).toHaveLength(2);
    expect((await world.call('GET', `/events?after=${after}`)).status).toBe(200);
  });

  it('misses none that comes between two requests', async () => {
    const charger = eventCharger('W2');
    let after = await cursor('now');
    const received: unknown[] = [];
    const writing = (async () => {
      for (let n = 0; n < 40; n += 1) await events.write(charger, 'charger.booted');
    })();
    while (received.length < 40) {
      const page = (await wait(`after=${after}`)).json();
      received.push(...(page['items'] as { sequence: number }[]).map(({ sequence }) => sequence));
      after = String(page['cursor']);
    }
    await writing;
    expect(received).toEqual(Array.from({ length: 40 }, (_, n) => n + 1));
  });

  it('ends empty after the time, with a cursor', async () => {
    const reply = await world.call('GET', '/events?waitS=1&after=now');
    expect(reply.json()).toEqual({ items: [], cursor: expect.any(String) as string, hasMore: false });
  });

  it('is refused for more than 30 seconds', async () => {
    expect(codeOf(await world.call('GET', '/events?waitS=31'))).toBe('400 invalid_request');
  });

  it('makes room when its client leaves', async () => {
    const url = `${served.origin}/v2/events?waitS=30&after=now&types=tag.checked`;
    const headers = { 'x-forwarded-proto': 'https', 'x-api-key': world.own.secret };
    let rejected = 0;
    const requests = Array.from({ length: 21 }, () => request(url, { headers }).on('error', () => undefined));
    for (const each of requests) {
      each.on('response', (response) => void (rejected += Number(response.statusCode === 429)));
      each.end();
    }
    await eventually(() => rejected === 1);
    const another = () => world.call('GET', '/events?waitS=1&after=now&types=tag.checked');
    expect(codeOf(await another())).toBe('429 rate_limited');
    for (const each of requests) each.destroy();
    await eventually(async () => (await another()).status === 200);
  });
});
