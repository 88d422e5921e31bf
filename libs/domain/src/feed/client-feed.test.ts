import { exampleEvent, type FeedEvent } from '@busbar/contracts';
import { storedFeed } from '../testing/stored-feed';
import { openClientFeed, type ReadOptions } from './client-feed';

const ALL: ReadOptions = { wants: () => true, limit: 1_000, maxPages: 200 };

let feed: ReturnType<typeof storedFeed>;
beforeEach(() => {
  feed = storedFeed();
});

function event(partition: number, sequence: number): FeedEvent {
  return { ...exampleEvent('charger.booted'), id: `evt_I${String(partition)}_${String(sequence)}`, sequence };
}

/** Stores a page of each list of sequences, behind those that are there. */
async function write(partition: number, ...pages: readonly number[][]): Promise<void> {
  for (const sequences of pages) {
    const page = (await feed.lastPage({ clientId: 'c', partition })) + 1;
    feed.stored.add(
      { clientId: 'c', partition, page },
      sequences.map((sequence) => event(partition, sequence)),
    );
  }
}

async function readAll(options: Partial<ReadOptions> = {}) {
  const open = await openClientFeed(feed, 'c');
  let position = await open.oldest();
  const slices: string[][] = [];
  for (;;) {
    const slice = await open.read(position, { ...ALL, ...options });
    slices.push(slice.events.map(({ id }) => id.slice('evt_I'.length)));
    // As the next request names it.
    position = await open.parse(open.format(slice.position), 'after');
    if (!slice.hasMore) return slices;
  }
}

it('reads every event once, in the order of its partition, whatever the limit', async () => {
  await write(0, [1, 2], [3], [4, 5, 6]);
  await write(1, [1], [2, 3]);
  for (let limit = 1; limit <= 10; limit += 1) {
    const slices = await readAll({ limit });
    expect(slices.every((ids) => ids.length <= limit)).toBe(true);
    const of = (partition: string) => slices.flat().filter((id) => id.startsWith(partition));
    expect(of('0')).toEqual(['0_1', '0_2', '0_3', '0_4', '0_5', '0_6']);
    expect(of('1')).toEqual(['1_1', '1_2', '1_3']);
  }
});

it('takes partitions in turn, so that a busy one does not hold the others up', async () => {
  for (let page = 0; page < 30; page += 1) await write(0, [3 * page + 1, 3 * page + 2, 3 * page + 3]);
  await write(1, [1]);
  const slices = await readAll({ limit: 3 });
  expect(slices.findIndex((ids) => ids.includes('1_1'))).toBeLessThan(3);
});

it('reads at most so many pages, and says that there is more', async () => {
  await write(0, [1], [2], [3]);
  await write(1, [1]);
  const open = await openClientFeed(feed, 'c');
  const slice = await open.read(await open.oldest(), { ...ALL, wants: () => false, maxPages: 3 });
  expect([slice.events, slice.hasMore]).toEqual([[], true]);
  const rest = await open.read(slice.position, ALL);
  expect([rest.events.map(({ id }) => id), rest.hasMore]).toEqual([['evt_I1_1'], false]);
});

it('ends before a page that is missing, and continues there when it is stored', async () => {
  await write(0, [1], [2], [3]);
  feed.stored.remove({ clientId: 'c', partition: 0, page: 2 });
  const open = await openClientFeed(feed, 'c');
  const first = await open.read({ pages: [0, 0], next: 0, taken: 0 }, ALL);
  expect([first.events.map(({ id }) => id), first.hasMore]).toEqual([['evt_I0_1'], false]);
  feed.stored.add({ clientId: 'c', partition: 0, page: 2 }, [event(0, 2)]);
  expect((await open.read(first.position, ALL)).events.map(({ id }) => id)).toEqual(['evt_I0_2', 'evt_I0_3']);
});

it('refuses a position whose next page was deleted by age, with a cursor of the oldest event', async () => {
  await write(0, [1], [2], [3]);
  const open = await openClientFeed(feed, 'c');
  const begin = await open.oldest();
  for (const page of [1, 2]) feed.stored.remove({ clientId: 'c', partition: 0, page });
  const error = await open.read(begin, ALL).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'cursor_expired' });
  const { oldest } = (error as { details: { oldest: string } }).details;
  expect((await open.read(await open.parse(oldest, 'after'), ALL)).events.map(({ id }) => id)).toEqual(['evt_I0_3']);
  // Behind the last page nothing is lost.
  expect((await open.read(await open.newest(), ALL)).events).toEqual([]);
});

it('refuses cursors of another client, and cursors of before a restore', async () => {
  const own = await openClientFeed(feed, 'c');
  const cursor = own.format(await own.newest());
  const other = await openClientFeed(feed, 'd');
  await expect(other.parse(cursor, 'after')).rejects.toMatchObject({
    code: 'invalid_request',
    details: { issues: [{ field: 'after' }] },
  });
  feed.stored.identity = { ...feed.stored.identity, generation: 'restored' };
  const restored = await openClientFeed(feed, 'c');
  await expect(restored.parse(cursor, 'after')).rejects.toMatchObject({ code: 'cursor_expired' });
});

it('is unavailable before the first start of charger-state', async () => {
  const empty = { ...feed, identity: () => Promise.resolve(undefined) };
  await expect(openClientFeed(empty, 'c')).rejects.toMatchObject({ code: 'unavailable' });
});

it('ends at the given pages', async () => {
  await write(0, [1], [2]);
  const open = await openClientFeed(feed, 'c');
  const slice = await open.read(await open.oldest(), { ...ALL, until: [1, 0] });
  expect([slice.events.map(({ id }) => id), slice.hasMore]).toEqual([['evt_I0_1'], false]);
});
