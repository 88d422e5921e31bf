import { exampleEvent, type FeedEvent } from '@busbar/contracts';
import { newStanding, newWebhook } from '../testing/webhook';
import { storedFeed } from '../testing/stored-feed';
import { openClientFeed } from '../feed/client-feed';
import { placeAt } from '../feed/feed-places';
import { countWaiting, MAX_WAITING } from './count-waiting';
import type { Webhook } from './webhook';
import type { DeferredQueue, DeliveryProgress, WebhookStanding } from './webhook-standing';

const sites = { childIds: () => Promise.resolve([]) };
const NOTHING: DeliveryProgress = { pages: [0, 0], taken: [0, 0], above: [], deferred: [] };
const begin = { id: 'b1', generation: 'g', position: { pages: [0, 0], next: 0, taken: 0 } };

let feed: ReturnType<typeof storedFeed>;
beforeEach(() => {
  feed = storedFeed();
});

let sequence = 0;
function event(chargerId: string, over: Partial<FeedEvent> = {}): FeedEvent {
  sequence += 1;
  return {
    ...exampleEvent('charger.connected'),
    id: `evt_${chargerId}_${String(sequence)}`,
    sequence,
    chargerId,
    ...over,
  };
}
const add = (page: number, events: readonly FeedEvent[], partition = 0, at?: string) =>
  feed.stored.add({ clientId: 'c', partition, page }, events, at);

const count = async (standing?: Partial<WebhookStanding>, over: Partial<Webhook> = {}) => {
  const webhook = newWebhook({ begin, ...over });
  const known = standing && newStanding({ beginId: begin.id, progress: NOTHING, ...standing });
  const [waiting] = await countWaiting({ feed, sites }, 'c', [{ webhook, standing: known }]);
  return waiting?.count;
};

it('counts events of all partitions behind the place where the webhook begins', async () => {
  add(1, [event('A'), event('A')]);
  add(1, [event('B')], 1);
  expect(await count()).toBe(3);
  expect(await count(undefined, { begin: { ...begin, position: { pages: [0, 1], next: 0, taken: 1 } } })).toBe(1);
});

it('counts what the standing has not done, below and above its pages', async () => {
  add(1, [event('A'), event('A')]);
  add(2, [event('A'), event('A'), event('A')]);
  const above = [{ partition: 0, page: 2, index: 2 }];
  expect(await count({ progress: { ...NOTHING, pages: [1, 0], taken: [1, 0], above } })).toBe(1);
});

describe('deferred deliveries', () => {
  const queue = (over: Partial<DeferredQueue>): DeferredQueue => ({
    partition: 0,
    page: 1,
    index: 0,
    chargerId: 'A',
    eventId: null,
    attempts: 1,
    firstStartedMs: 0,
    nextAttemptMs: 0,
    messages: 0,
    ...over,
  });

  it('are the later events of their charger alone', async () => {
    add(1, [event('B'), event('A'), event('B')]);
    add(2, [event('A')]);
    const progress = { ...NOTHING, pages: [2, 0], deferred: [queue({ index: 1 })] };
    expect(await count({ progress })).toBe(2);
  });

  it('are one event where it belongs to no charger', async () => {
    const disabled = [1, 2].map((n) =>
      event('A', { id: `evt_wh_${String(n)}`, chargerId: null, type: 'webhook.disabled' }),
    );
    add(1, disabled);
    const progress = { ...NOTHING, pages: [1, 0], deferred: [queue({ chargerId: null, eventId: 'evt_wh_1' })] };
    expect(await count({ progress })).toBe(1);
  });
});

it('counts of a replay with an end only what was not delivered behind the end', async () => {
  const at = (hour: number) => ({ timestamp: `2026-01-01T0${String(hour)}:00:00.000Z` });
  add(1, [event('A', at(1)), event('A', at(2)), event('A', at(3))]);
  add(2, [event('A', at(4))]);
  const before = { ...NOTHING, pages: [1, 0] };
  const until = '2026-01-01T01:30:00.000Z';
  expect(await count({ progress: NOTHING, replay: { until, progress: before } })).toBe(2);
  // Before push has seen the replay.
  expect(await count({ beginId: 'earlier', progress: before }, { begin: { ...begin, until } })).toBe(2);
});

it('counts events that match the webhook alone', async () => {
  add(1, [event('A', { siteId: 1 }), event('B', { siteId: 2 }), { ...event('A'), type: 'meter.values' }]);
  expect(await count(undefined, { types: ['charger.*'], siteIds: [1] })).toBe(1);
  expect(await count(undefined, { chargerIds: ['B'] })).toBe(1);
  expect(await count(undefined, { format: 'push-v2', types: ['Measurements'] })).toBe(1);
});

it('counts nothing of a generation of the feed that is over', async () => {
  add(1, [event('A')]);
  expect(await count(undefined, { begin: { ...begin, generation: 'old' } })).toBe(0);
});

it('continues with the oldest page where pages were deleted by age', async () => {
  for (const page of [1, 2, 3]) add(page, [event('A')]);
  feed.stored.remove({ clientId: 'c', partition: 0, page: 1 });
  expect(await count()).toBe(2);
});

it('reads 200 pages for all webhooks of a request, and counts up to 10,000', async () => {
  for (let page = 1; page <= 300; page += 1) add(page, Array<FeedEvent>(page > 250 ? 1 : 2).fill(event('A')));
  expect(await count()).toBe(400);
  const webhooks = [newWebhook({ begin }), newWebhook({ begin, webhookId: 'wh_2' })];
  const known = webhooks.map((webhook) => ({ webhook, standing: undefined }));
  expect(await countWaiting({ feed, sites }, 'c', known)).toEqual([
    { count: 200, oldestAt: null },
    { count: 200, oldestAt: null },
  ]);
  add(1, Array<FeedEvent>(MAX_WAITING + 5).fill(event('B')), 1);
  expect(
    await count(undefined, {
      chargerIds: ['B'],
      begin: { ...begin, position: { pages: [300, 0], next: 0, taken: 0 } },
    }),
  ).toBe(MAX_WAITING);
});

it('counts nothing before the feed has begun', async () => {
  const none = { ...feed, identity: () => Promise.resolve(undefined) };
  expect(await countWaiting({ feed: none, sites }, 'c', [{ webhook: newWebhook(), standing: undefined }])).toEqual([
    { count: 0, oldestAt: null },
  ]);
});

it('finds when the oldest event that waits happened', async () => {
  const at = (hour: number) => ({ timestamp: `2026-01-31T0${String(hour)}:00:00.000Z` });
  add(1, [event('A', at(1)), event('A', at(4))], 0, at(5).timestamp);
  add(1, [event('B', at(3))], 1, at(5).timestamp);
  const standing = newStanding({ beginId: begin.id, progress: { ...NOTHING, taken: [1, 0] } });
  const known = [{ webhook: newWebhook({ begin }), standing }];
  expect(await countWaiting({ feed, sites }, 'c', known)).toEqual([{ count: 2, oldestAt: at(3).timestamp }]);
});

it('has the oldest event that waits no later than its page, where the clock of its gateway is ahead', async () => {
  const written = '2026-01-31T12:00:00.100Z';
  add(1, [event('A', { timestamp: '2026-01-31T12:00:00.500Z' })], 0, written);
  const known = [{ webhook: newWebhook({ begin }), standing: undefined }];
  expect(await countWaiting({ feed, sites }, 'c', known)).toEqual([{ count: 1, oldestAt: written }]);
  const { pages } = await placeAt(feed, await openClientFeed(feed, 'c'), written);
  expect(pages).toEqual([0, 0, 0]);
});
