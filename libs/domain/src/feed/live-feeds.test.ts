import { exampleEvent, type FeedEvent } from '@busbar/contracts';
import { createFakeClock, createRecordingLogger, eventually } from '@busbar/testing';
import { storedFeed } from '../testing/stored-feed';
import { openClientFeed } from './client-feed';
import { createLiveFeeds, type LiveEvent, type LiveSubscription } from './live-feeds';
import { waitForEvents } from './wait-for-events';

const WAIT = { limit: 10, maxPages: 200, waitMs: 5_000 };

function world() {
  const feed = storedFeed();
  const clock = createFakeClock();
  const liveFeeds = createLiveFeeds({ feed, clock, logger: createRecordingLogger() });
  const written = [0, 0];
  return {
    feed,
    clock,
    liveFeeds,
    all: () => liveFeeds.subscribe('c', () => true),
    /** Stores a page of so many events, without a hint. */
    async write(partition: number, { count = 1, text = '' } = {}): Promise<number> {
      const page = (await feed.lastPage({ clientId: 'c', partition })) + 1;
      const events = Array.from({ length: count }, (): FeedEvent => {
        const sequence = (written[partition] = (written[partition] ?? 0) + 1);
        const id = `evt_I${String(partition)}_${String(sequence)}`;
        return { ...exampleEvent('charger.created'), id, sequence, data: { name: text } };
      });
      feed.stored.add({ clientId: 'c', partition, page }, events);
      return page;
    },
    hint: (partition: number, page: number) => liveFeeds.hint({ clientId: 'c', partition, page }),
  };
}

const ids = (events: readonly LiveEvent[] | string) =>
  typeof events === 'string' ? events : events.map(({ event }) => event.id.slice('evt_I'.length));

it('delivers a hinted page at once, and others within two seconds', async () => {
  const { write, hint, all, clock } = world();
  await write(0);
  const live = await all();
  hint(0, await write(0));
  expect(ids(await live.next())).toEqual(['0_2']);
  await write(1);
  const next = live.next();
  clock.advance(2_000);
  expect(ids(await next)).toEqual(['1_1']);
  live.close();
});

it('reads the store once for all that wait for the same client', async () => {
  const { write, hint, all, feed, liveFeeds } = world();
  const waiting = await Promise.all(Array.from({ length: 100 }, all));
  const other = await liveFeeds.subscribe('d', () => true);
  const reads = feed.stored.reads;
  hint(0, await write(0, { count: 3 }));
  for (const live of waiting) expect(ids(await live.next())).toEqual(['0_1', '0_2', '0_3']);
  expect(feed.stored.reads - reads).toBe(1);
  for (const live of [...waiting, other]) live.close();
});

it('shares the JSON and the cursor of an event, behind which reading continues', async () => {
  const { write, hint, all, feed } = world();
  const [one, two] = await Promise.all([all(), all()]);
  hint(1, await write(1, { count: 2 }));
  const [first] = (await one.next()) as LiveEvent[];
  expect((await two.next())[0]).toBe(first);
  const client = await openClientFeed(feed, 'c');
  const from = await client.parse(first?.cursor() ?? '', 'after');
  const { events } = await client.read(from, { wants: () => true, limit: 10, maxPages: 10 });
  expect(events.map(({ id }) => id)).toEqual(['evt_I1_2']);
  one.close();
  two.close();
});

it('begins with a position from which no event is missing', async () => {
  const { write, all, hint, feed } = world();
  const first = await all();
  for (let round = 0; round < 20; round += 1) {
    const page = await write(round % 2);
    const subscribing = all();
    if (round % 3 === 0) hint(round % 2, page);
    const live = await subscribing;
    const client = await openClientFeed(feed, 'c');
    const options = { wants: () => true, limit: 1_000, maxPages: 1_000, until: live.begin.pages };
    const before = (await client.read(await client.oldest(), options)).events.length;
    hint(round % 2, await write(round % 2));
    const after = ((await live.next()) as LiveEvent[]).length;
    expect([before + after, round]).toEqual([2 * round + 2, round]);
    live.close();
  }
  first.close();
});

it('cuts a reader off that leaves a mebibyte untaken, and no other', async () => {
  const { write, hint, liveFeeds, all } = world();
  const ends: string[] = [];
  const slow = await liveFeeds.subscribe(
    'c',
    () => true,
    (reason) => ends.push(reason),
  );
  const fast = await all();
  const text = 'x'.repeat(600_000);
  for (let page = 1; page <= 3; page += 1) {
    hint(0, await write(0, { text }));
    expect(ids(await fast.next())).toEqual([`0_${String(page)}`]);
  }
  expect([ends, await slow.next()]).toEqual([['slow_reader'], 'slow_reader']);
  hint(0, await write(0, { count: 2, text }));
  expect(ids(await fast.next())).toEqual(['0_4', '0_5']);
  slow.close();
  fast.close();
});

it('ends when the feed is replaced, and when the next page was deleted by age', async () => {
  const { write, all, clock, feed } = world();
  const live = await all();
  feed.stored.identity = { generation: 'restored', partitions: 2 };
  clock.advance(2_000);
  expect(await live.next()).toBe('restarted');
  const again = await all();
  await write(0);
  await write(0);
  feed.stored.remove({ clientId: 'c', partition: 0, page: 1 });
  clock.advance(2_000);
  expect(await again.next()).toBe('restarted');
  live.close();
  again.close();
});

it('reads nothing when nobody waits any more', async () => {
  const { write, hint, all, clock, feed } = world();
  const live: LiveSubscription = await all();
  live.close();
  expect(await live.next()).toBe('closed');
  const { reads } = feed.stored;
  hint(0, await write(0));
  clock.advance(60_000);
  expect(feed.stored.reads).toBe(reads);
});

describe('waiting for events', () => {
  async function waiting({ wants = (): boolean => true, abort = new AbortController() } = {}) {
    const parts = world();
    const feed = await openClientFeed(parts.feed, 'c');
    const from = await feed.newest();
    const begin = (over = {}) =>
      waitForEvents(parts, { feed, from, wants }, { ...WAIT, signal: abort.signal, ...over });
    return { ...parts, begin, abort, client: feed };
  }

  it('ends with the first event', async () => {
    const { begin, write, hint, feed } = await waiting();
    const result = begin();
    await eventually(() => feed.stored.identityReads > 1);
    hint(0, await write(0, { count: 2 }));
    expect(await result).toMatchObject({ events: [{ sequence: 1 }, { sequence: 2 }], hasMore: false });
  });

  it('ends without events after the time, behind what was not wanted', async () => {
    const { begin, write, hint, clock, feed, client } = await waiting({ wants: () => false });
    const result = begin();
    await eventually(() => feed.stored.identityReads > 1);
    hint(1, await write(1));
    await eventually(() => feed.stored.reads > 0);
    let isOver = false;
    void result.then(() => (isOver = true));
    await eventually(() => {
      clock.advance(1_000);
      return isOver;
    });
    const { events, cursor, hasMore } = await result;
    expect([events, hasMore]).toEqual([[], false]);
    expect((await client.parse(cursor, 'after')).pages).toEqual([0, 1, 0]);
  });

  it('ends when it is aborted', async () => {
    const { begin, abort } = await waiting();
    const result = begin();
    abort.abort();
    expect(await result).toMatchObject({ events: [], hasMore: false });
  });

  it('returns at once what was stored before it waits', async () => {
    const { begin, write } = await waiting();
    await write(1);
    expect(await begin()).toMatchObject({ events: [{ id: 'evt_I1_1' }] });
  });

  it('returns at most the limit, and says that there is more', async () => {
    const { begin, write, hint, feed } = await waiting();
    const result = begin({ limit: 2 });
    await eventually(() => feed.stored.identityReads > 1);
    hint(0, await write(0, { count: 3 }));
    expect(await result).toMatchObject({ events: [{ sequence: 1 }, { sequence: 2 }], hasMore: true });
  });
});
