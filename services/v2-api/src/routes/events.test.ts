import type { EventName, FeedEvent } from '@busbar/domain/feed';
import type { Permission } from '@busbar/domain/clients';
import type { HttpReply } from '@busbar/testing';
import { codeOf, openApp, type TestApp } from '../testing/open-app';
import { createEventWriter, eventCharger, type EventCharger } from '../testing/write-events';

const NAMES: readonly EventName[] = ['charger.booted', 'session.started', 'meter.values', 'tag.checked'];

let world: TestApp;
let events: ReturnType<typeof createEventWriter>;
let chargers: EventCharger[];
let yard: number;
let deck: number;
let other: string;

beforeAll(async () => {
  world = await openApp();
  other = world.other.secret;
  events = createEventWriter(world);
  yard = Number((await world.post('/sites', { name: 'Yard' })).json()['id']);
  deck = Number((await world.post('/sites', { name: 'Deck', parentSiteId: yard })).json()['id']);
  chargers = [eventCharger('A', yard), eventCharger('B', deck), eventCharger('C', deck)];
  for (const charger of chargers) await events.write(charger, ...NAMES);
  for (const charger of chargers) await events.write(charger, 'session.ended');
});
afterAll(() => world.close());

const read = (query = '', headers: Record<string, string> = {}) => world.call('GET', `/events${query}`, { headers });

interface EventPage {
  readonly items: readonly FeedEvent[];
  readonly cursor: string;
  readonly hasMore: boolean;
  readonly older?: string;
}

const pageOf = (reply: HttpReply) => reply.json() as unknown as EventPage;

async function listed(query = '', headers = {}): Promise<string[]> {
  const reply = await read(query, headers);
  expect(reply.status).toBe(200);
  return pageOf(reply).items.map(({ chargerId, type }) => `${String(chargerId)} ${type}`);
}

async function keyWith(...permissions: Permission[]) {
  const { key } = (await world.post('/api-keys', { name: 'limited', permissions })).json();
  return { 'x-api-key': String(key) };
}

it('lists every event once, by pages of any size, those of a charger in their order', async () => {
  for (const limit of [1, 2, 7, 1000]) {
    const found: FeedEvent[] = [];
    let query = `?limit=${String(limit)}`;
    for (let hasMore = true; hasMore;) {
      const page = pageOf(await read(query));
      expect(page.items.length).toBeLessThanOrEqual(limit);
      found.push(...page.items);
      hasMore = page.hasMore;
      query = `?limit=${String(limit)}&after=${page.cursor}`;
    }
    for (const { chargerId } of chargers) {
      const sequences = found.filter((event) => event.chargerId === chargerId).map(({ sequence }) => sequence);
      expect(sequences).toEqual([1, 2, 3, 4, 5]);
    }
    expect(found).toHaveLength(15);
  }
});

it('begins with the next event after now, and continues behind any cursor with any filter', async () => {
  const { cursor, items, hasMore } = pageOf(await read('?after=now'));
  expect([items, hasMore]).toEqual([[], false]);
  const charger = eventCharger('NEXT');
  await events.write(charger, 'charger.connected', 'charger.booted');
  expect(await listed(`?after=${cursor}`)).toEqual(['NEXT charger.connected', 'NEXT charger.booted']);
  expect(await listed(`?after=${cursor}&types=charger.booted`)).toEqual(['NEXT charger.booted']);
});

it('lists the newest events first, and continues behind them', async () => {
  const page = pageOf(await read('?newest=true&limit=2&types=session.ended'));
  expect(page.items.map(({ type }) => type)).toEqual(['session.ended', 'session.ended']);
  const all = pageOf(await read('?newest=true&limit=1000')).items;
  const times = all.map(({ timestamp }) => timestamp);
  expect(times).toEqual(times.toSorted().toReversed());
  expect(all.length).toBeGreaterThanOrEqual(15);
  await events.write(eventCharger('LATER'), 'charger.booted');
  expect(await listed(`?after=${page.cursor}`)).toEqual(['LATER charger.booted']);
  expect(await listed('?newest=true&chargerIds=LATER')).toEqual(['LATER charger.booted']);
});

it.each(['after=now', 'waitS=1'])('refuses %s with newest', async (query) => {
  const reply = await read(`?newest=true&${query}`);
  expect(codeOf(reply)).toBe('400 invalid_request');
  expect(JSON.stringify(reply.json())).toContain('must be absent with newest');
});

it.each([
  ['types=session.ended', ['A session.ended', 'B session.ended', 'C session.ended']],
  ['types=session.*,tag.checked&chargerIds=A', ['A session.started', 'A tag.checked', 'A session.ended']],
  ['types=*&chargerIds=A', ['A charger.booted', 'A session.started', 'A tag.checked', 'A session.ended']],
  ['types=tag.checked&siteIds=YARD', ['A tag.checked']],
  ['types=tag.checked&siteIds=YARD&includeSubsites=true', ['A tag.checked', 'B tag.checked', 'C tag.checked']],
  ['chargerIds=NONE', []],
  ['siteIds=999999', []],
])('filters by %s', async (query, expected) => {
  expect((await listed(`?${query.replace('YARD', String(yard))}`)).sort()).toEqual([...expected].sort());
});

it('leaves types without their permission out, and refuses one that is named', async () => {
  const headers = await keyWith('events:read', 'tags:read');
  expect(new Set(await listed('', headers))).toEqual(new Set(chargers.map((each) => `${each.chargerId} tag.checked`)));
  expect(await listed('?types=session.*', headers)).toEqual([]);
  const refused = await read('?types=tag.checked,session.ended', headers);
  expect([codeOf(refused), refused.json()['detail']]).toEqual([
    '403 forbidden',
    expect.stringContaining('sessions:read') as string,
  ]);
  expect(codeOf(await read('', await keyWith('chargers:read')))).toBe('403 forbidden');
});

it.each([
  ['limit=0', '?limit'],
  ['limit=1001', '?limit'],
  ['types=charger.exploded', '?types/0'],
  ['types=charger', '?types/0'],
  ['after=mine', '?after'],
  ['after=', '?after'],
  ['siteIds=x', '?siteIds/0'],
])('refuses %s, naming the parameter', async (query, path) => {
  const reply = await read(`?${query}`);
  expect(reply.status).toBe(400);
  expect((reply.json()['errors'] as { path: string }[]).map((issue) => issue.path)).toContain(path);
});

it('refuses a cursor of another client and of another number of partitions', async () => {
  const { cursor } = pageOf(await read());
  expect(codeOf(await read(`?after=${cursor}`, { 'x-api-key': other }))).toBe('400 invalid_request');
  await world.platform.setPartitions(5);
  expect(codeOf(await read(`?after=${cursor}`))).toBe('400 invalid_request');
  await world.platform.setPartitions(4);
  // Page numbers of another number of partitions mean nothing, also when it is set back.
  expect(codeOf(await read(`?after=${cursor}`))).toBe('410 cursor_expired');
});

it('refuses a cursor whose next events were deleted by age, with a cursor to continue', async () => {
  const charger = eventCharger('AGED');
  const { cursor: end } = pageOf(await read('?after=now'));
  await events.write(charger, 'charger.connected');
  await events.write(charger, 'charger.booted');
  const { cursor } = pageOf(await read('?types=tag.checked&limit=1000'));
  // Until the first of the two pages is the oldest one.
  while ((await read(`?after=${end}`)).status === 200) await events.removeOldest(charger);
  const expired = await read(`?after=${end}`);
  expect(codeOf(expired)).toBe('410 cursor_expired');
  const oldest = String(expired.json()['oldest']);
  expect(await listed(`?after=${oldest}&chargerIds=AGED`)).toEqual(['AGED charger.booted']);
  expect(await listed(`?chargerIds=AGED`)).toEqual(['AGED charger.booted']);
  expect(await listed(`?after=${cursor}`)).toEqual([]);
});

it("hides other clients' events", async () => {
  expect(await listed('', { 'x-api-key': other })).toEqual([]);
});

describe('an event', () => {
  const one = (id: string, headers: Record<string, string> = {}) => world.call('GET', `/events/${id}`, { headers });

  it('is read by its id', async () => {
    const charger = eventCharger('ONE');
    const written = await events.write(charger, ...NAMES);
    for (const event of written) expect((await one(event.id)).json()).toEqual(event);
  });

  it("is not found by another client's key, without its permission, or with another id", async () => {
    const [event] = await events.write(eventCharger('TWO'), 'session.started');
    const id = event?.id ?? '';
    expect(codeOf(await one(id, { 'x-api-key': other }))).toBe('404 not_found');
    expect(codeOf(await one(id, await keyWith('events:read', 'tags:read')))).toBe('404 not_found');
    expect((await one(id, await keyWith('events:read', 'sessions:read'))).status).toBe(200);
    expect(codeOf(await one('mine'))).toBe('404 not_found');
    expect(codeOf(await one(`${id}0`))).toBe('404 not_found');
  });
});

it('reads on backwards before a place, and takes no part of a page and no place of another client', async () => {
  const { older: none, ...page } = pageOf(await read('?newest=true&limit=1000'));
  // All were read.
  expect([none, page.hasMore]).toEqual([undefined, false]);
  const charger = eventCharger('LONG');
  for (let left = 210; left > 0; left -= 1) await events.write(charger, 'charger.booted');
  const first = pageOf(await read('?newest=true&limit=1000'));
  const before = `newest=true&before=${String(first.older)}`;
  const second = pageOf(await read(`?${before}&limit=1000`));
  expect([first.hasMore, second.hasMore, second.older]).toEqual([true, false, undefined]);
  const all = [...first.items, ...second.items];
  const ofCharger = all.filter(({ chargerId }) => chargerId === 'LONG').map(({ sequence }) => sequence);
  expect(ofCharger).toEqual(Array.from({ length: 210 }, (_, n) => 210 - n));
  const idsOf = (events: readonly FeedEvent[]) => events.map(({ id }) => id).toSorted();
  expect(idsOf(all.filter(({ chargerId }) => chargerId !== 'LONG'))).toEqual(idsOf(page.items));
  const end = pageOf(await read('?after=now')).cursor;
  await events.write(charger, 'charger.connected', 'charger.booted');
  const within = pageOf(await read(`?after=${end}&limit=1`)).cursor;
  for (const [query, key] of [
    ['newest=true&before=x'],
    [`newest=true&before=${within}`],
    [`before=${page.cursor}`],
    [before, other],
  ] as const) {
    const reply = await read(`?${query}`, key === undefined ? {} : { 'x-api-key': key });
    expect([codeOf(reply), JSON.stringify(reply.json())]).toEqual([
      '400 invalid_request',
      expect.stringContaining('before') as string,
    ]);
  }
});
