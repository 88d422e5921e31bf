import { createId } from '@busbar/core';
import { noRows } from '@busbar/domain/reports';
import { createReportStore } from '@busbar/store';
import { createHurriedClock, eventually, serve, type Served } from '@busbar/testing';
import { codeOf, openApp, type TestApp } from '../testing/open-app';

interface Event {
  readonly id?: string;
  readonly event?: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** New rows are looked for once a second, a deleted charger and a revoked key less often. */
const SECONDS_A_SECOND = 10;

let world: TestApp;
let served: Served;
let streams: AbortController[];
beforeAll(async () => {
  world = await openApp({ clock: createHurriedClock(SECONDS_A_SECOND) });
  served = await serve(world.app.handle);
  await world.post('/sites', { name: 'Yard' });
});
afterAll(async () => {
  await served.close();
  await world.close();
});
beforeEach(() => {
  streams = [];
});
afterEach(() => {
  for (const stream of streams) stream.abort();
});

async function register(): Promise<string> {
  const chargerId = createId();
  expect((await world.post('/chargers', { name: 'Gate', chargerId })).status).toBe(200);
  return chargerId;
}

type Stored = readonly [messageId: string, secondsAgo?: number];

/** Stores rows that were received so many seconds ago. */
async function store(chargerId: string, ...rows: readonly Stored[]): Promise<void> {
  const incarnationId = (await world.platform.records.chargers.find(chargerId))?.incarnationId ?? '';
  const log = rows.map(([messageId, secondsAgo = 0]) => {
    const receivedMs = Date.now() - secondsAgo * 1000;
    const at = new Date(receivedMs).toISOString();
    const row = { rowId: createId(receivedMs), chargerId, incarnationId, ocppVersion: 'ocpp1.6', at, messageId };
    const frames = { request: `[2,"${messageId}","Heartbeat",{}]`, response: '' };
    return { ...row, ...frames, action: 'Heartbeat', source: 'charger' as const };
  });
  await createReportStore(world.platform.store).write({ ...noRows(), log }, []);
}

/** Opens a stream, and collects what it sends. Resolves when its headers are there. */
async function open(chargerId: string, headers: Readonly<Record<string, string>> = {}) {
  const abort = new AbortController();
  streams.push(abort);
  const response = await fetch(`${served.origin}/v2/chargers/${chargerId}/ocpp-logs/stream`, {
    headers: { 'x-forwarded-proto': 'https', 'x-api-key': world.own.secret, ...headers },
    signal: abort.signal,
  });
  const stream = { response, text: '', hasEnded: false };
  const read = async (): Promise<void> => {
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) stream.text += chunk;
  };
  void read()
    .catch(() => undefined)
    .finally(() => (stream.hasEnded = true));
  return { stream, abort, events: () => eventsIn(stream.text) };
}

function eventsIn(text: string): Event[] {
  const blocks = text.split('\n\n').slice(0, -1);
  return blocks.flatMap((block) => {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
    const [id, event, data] = [field('id'), field('event'), field('data')];
    if (data === undefined) return [];
    const named = { ...(id === undefined ? {} : { id }), ...(event === undefined ? {} : { event }) };
    return [{ ...named, data: JSON.parse(data) as Event['data'] }];
  });
}

const messageIds = (events: readonly Event[]): unknown[] => events.map(({ data }) => data['messageId']);

it('streams new rows as events, with the headers that keep proxies from collecting them', async () => {
  const chargerId = await register();
  await store(chargerId, ['before']);
  const { stream, events } = await open(chargerId);
  expect(Object.fromEntries(stream.response.headers)).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  expect(stream.response.headers.has('content-encoding')).toBe(false);
  await store(chargerId, ['one']);
  await eventually(() => events().length > 0);
  expect(stream.text).toMatch(/^retry: \d+\n\n/);
  expect(events()).toEqual([
    {
      id: expect.stringMatching(/^[0-9A-Z]{26}\.2$/) as string,
      data: expect.objectContaining({ messageId: 'one', messageType: 'Heartbeat', source: 'charger' }) as object,
    },
  ]);
});

it('resumes behind Last-Event-ID, with rows that were stored late', async () => {
  const chargerId = await register();
  const first = await open(chargerId);
  await store(chargerId, ['one']);
  await eventually(() => first.events().length === 1);
  first.abort.abort();
  await store(chargerId, ['two']);
  const id = first.events()[0]?.id ?? '';
  const second = await open(chargerId, { 'last-event-id': id });
  await eventually(() => second.events().length === 1);
  expect(messageIds(second.events())).toEqual(['two']);
  // As by a gateway whose clock is behind, or that could not reach the broker for a while.
  await store(chargerId, ['late', 20]);
  await eventually(() => second.events().length === 2);
  expect(messageIds(second.events())).toEqual(['two', 'late']);
  const third = await open(chargerId, { 'last-event-id': id });
  await eventually(() => messageIds(third.events()).includes('two'));
  expect(messageIds(third.events())).toEqual(['late', 'one', 'two']);
});

it('sends a backlog of several pages once each, in order', async () => {
  const chargerId = await register();
  const { events, abort } = await open(chargerId);
  await store(chargerId, ['first', 900]);
  await eventually(() => events().length === 1);
  abort.abort();
  const sent = Array.from({ length: 450 }, (_, n) => `m${String(n)}`);
  await store(chargerId, ...sent.map((messageId, n) => [messageId, 890 - n] as const));
  const resumed = await open(chargerId, { 'last-event-id': events()[0]?.id ?? '' });
  await eventually(() => resumed.events().length >= sent.length);
  expect(messageIds(resumed.events())).toEqual(sent);
});

it('ends when the charger is deleted', async () => {
  const chargerId = await register();
  const { stream, events } = await open(chargerId);
  expect((await world.call('DELETE', `/chargers/${chargerId}`)).status).toBe(200);
  await eventually(() => stream.hasEnded);
  expect(events()).toEqual([{ event: 'end', data: { reason: 'charger_deleted' } }]);
});

it('ends when its key is revoked', async () => {
  const chargerId = await register();
  const made = (await world.post('/api-keys', { name: 'stream', permissions: ['logs:read'] })).json();
  const { id, key } = made as { id: string; key: string };
  const { stream, events } = await open(chargerId, { 'x-api-key': key });
  expect((await world.call('DELETE', `/api-keys/${id}`)).status).toBe(200);
  await eventually(() => stream.hasEnded);
  expect(events()).toEqual([{ event: 'end', data: { reason: 'key_revoked' } }]);
});

it("hides other clients' chargers, and refuses an id that it did not send", async () => {
  const chargerId = await register();
  const path = `/chargers/${chargerId}/ocpp-logs/stream`;
  expect(codeOf(await world.call('GET', path, { headers: { 'x-api-key': world.other.secret } }))).toBe('404 not_found');
  const headers = { 'last-event-id': 'mine' };
  expect(codeOf(await world.call('GET', path, { headers }))).toBe('400 invalid_request');
  expect((await world.call('HEAD', path)).status).toBe(200);
});

it('limits the streams of a key', async () => {
  const chargerId = await register();
  for (let n = 0; n < 10; n += 1) expect((await open(chargerId)).stream.response.status).toBe(200);
  const { response } = (await open(chargerId)).stream;
  expect([response.status, Number(response.headers.get('retry-after')) > 0]).toEqual([429, true]);
  streams[0]?.abort();
  await eventually(async () => (await open(chargerId)).stream.response.status === 200);
});
