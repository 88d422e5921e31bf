import { exampleEvent, type FeedEvent } from '@busbar/contracts';
import { storedFeed } from '../testing/stored-feed';
import { newestEvents, type NewestOptions } from './newest-events';

const ALL: NewestOptions = { wants: () => true, limit: 3, maxPages: 200 };

const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();

function event(name: string, second: number): FeedEvent {
  return { ...exampleEvent('charger.booted'), id: `evt_I_${name}`, timestamp: at(second) };
}

let feed: ReturnType<typeof storedFeed>;
beforeEach(() => {
  feed = storedFeed();
});

/** Pages of a partition, each with the seconds of its events. */
function write(partition: number, ...pages: readonly (readonly number[])[]): void {
  for (const [index, seconds] of pages.entries()) {
    const events = seconds.map((second) => event(`${String(partition)}.${String(second)}`, second));
    feed.stored.add({ clientId: 'c', partition, page: index + 1 }, events, at(seconds.at(-1) ?? 0));
  }
}

async function newest(options: Partial<NewestOptions> = {}, before?: readonly number[]) {
  const until = before ?? (await Promise.all([0, 1].map((partition) => feed.lastPage({ clientId: 'c', partition }))));
  const { events, hasMore, older } = await newestEvents(feed, { clientId: 'c', until }, { ...ALL, ...options });
  return { ids: events.map(({ id }) => id.slice('evt_I_'.length)), hasMore, ...(older && { older }) };
}

it('reads on backwards from where it ended, each event once', async () => {
  write(0, ...Array.from({ length: 9 }, (_, n) => [n]));
  write(1, [20], [21]);
  const wants = ({ timestamp }: FeedEvent) => timestamp !== at(8);
  const options = { wants, limit: 20, maxPages: 3 };
  const found: string[] = [];
  for (let page = await newest(options), left = 9; ; page = await newest(options, page.older)) {
    found.push(...page.ids);
    left -= 1;
    if (page.older === undefined || left === 0) break;
  }
  expect(found).toEqual(['1.21', '0.7', '1.20', ...[6, 5, 4, 3, 2, 1, 0].map((n) => `0.${String(n)}`)]);
});

it('names no older place where events are left out', async () => {
  write(0, [1, 2, 3], [4, 5]);
  expect(await newest({ limit: 1 })).toEqual({ ids: ['0.5'], hasMore: true });
  expect(await newest({ limit: 5 })).toEqual({ ids: ['0.5', '0.4', '0.3', '0.2', '0.1'], hasMore: false });
});

it('gives the newest of all partitions, the newest first', async () => {
  write(0, [1, 2], [9], [10]);
  write(1, [3], [4], [8]);
  expect(await newest()).toEqual({ ids: ['0.10', '0.9', '1.8'], hasMore: true });
  expect(await newest({ limit: 4 })).toEqual({ ids: ['0.10', '0.9', '1.8', '1.4'], hasMore: true });
  expect(await newest({ limit: 7 })).toEqual({
    ids: ['0.10', '0.9', '1.8', '1.4', '1.3', '0.2', '0.1'],
    hasMore: false,
  });
});

it('reads on only where an event may be newer than those that are found', async () => {
  write(0, ...Array.from({ length: 50 }, (_, n) => [n]));
  write(1, [60, 61, 62], [63, 64, 65]);
  expect(await newest()).toMatchObject({ ids: ['1.65', '1.64', '1.63'] });
  expect(feed.stored.reads).toBeLessThan(4);
});

it('keeps the order of events of one time', async () => {
  write(0, [1, 5, 5]);
  feed.stored.add({ clientId: 'c', partition: 1, page: 1 }, [event('first', 4), event('second', 4)], at(4));
  expect(await newest({ limit: 5 })).toMatchObject({ ids: ['0.5', '0.5', 'second', 'first', '0.1'] });
});

it('passes over what is not wanted, reads so many pages at most, and says that there is more', async () => {
  write(0, ...Array.from({ length: 30 }, (_, n) => [n]));
  const wants = ({ timestamp }: FeedEvent) => timestamp === at(2);
  expect(await newest({ wants })).toEqual({ ids: ['0.2'], hasMore: false });
  expect(await newest({ wants, maxPages: 10 })).toEqual({ ids: [], hasMore: true, older: [20, 0] });
});

it('ends at pages that were deleted by age, and in an empty feed', async () => {
  write(0, [1], [2], [3]);
  feed.stored.remove({ clientId: 'c', partition: 0, page: 1 });
  expect(await newest({ limit: 9 })).toEqual({ ids: ['0.3', '0.2'], hasMore: false });
  feed = storedFeed();
  expect(await newest()).toEqual({ ids: [], hasMore: false });
});
