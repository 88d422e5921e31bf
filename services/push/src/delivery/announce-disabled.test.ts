import { createFakeClock } from '@busbar/testing';
import { exampleEvent, type FeedEvent, type FeedPage } from '@busbar/domain/feed';
import { storedFeed } from '@busbar/domain/testing';
import { webhookOf } from '../testing/webhook';
import { createAnnounceDisabled } from './announce-disabled';

const STREAM = { clientId: 'c', partition: 2 };
const event = (webhookId: string, count: number): FeedEvent => ({
  ...exampleEvent('webhook.disabled'),
  id: `evt_${webhookId}_${String(count)}`,
});

function open(beforeInsert: (page: FeedPage) => void = () => undefined) {
  const feed = storedFeed({ generation: 'g', partitions: 2 });
  const hints: unknown[] = [];
  const announce = createAnnounceDisabled({
    feed,
    pages: {
      async insert({ events, ...page }) {
        beforeInsert({ events, ...page });
        if ((await feed.lastPage(page)) >= page.page) return false;
        feed.stored.add(page, JSON.parse(events) as FeedEvent[]);
        return true;
      },
    },
    broker: { broadcast: (_channel, body) => void hints.push(body) },
    clock: createFakeClock(),
  });
  const ids = async () => {
    const pages = await feed.pagesAfter({ ...STREAM, page: 0 }, 100);
    return pages.flatMap((page) => (JSON.parse(page.events) as FeedEvent[]).map(({ id }) => id));
  };
  return { feed, hints, announce, ids };
}

it('puts each event into the next page, and announces the page', async () => {
  const { announce, hints, ids } = open();
  await announce(webhookOf(), event('wh_1', 1));
  await announce(webhookOf({ webhookId: 'wh_2' }), event('wh_2', 1));
  await announce(webhookOf(), event('wh_1', 2));
  expect(await ids()).toEqual(['evt_wh_1_1', 'evt_wh_2_1', 'evt_wh_1_2']);
  expect(hints).toEqual([1, 2, 3].map((page) => ({ ...STREAM, page })));
});

it('puts an event into the feed once, also after a kill before that was stored', async () => {
  const { announce, ids } = open();
  for (let n = 0; n < 3; n += 1) await announce(webhookOf(), event('wh_1', 1));
  await announce(webhookOf({ webhookId: 'wh_2' }), event('wh_2', 1));
  await announce(webhookOf(), event('wh_1', 1));
  expect(await ids()).toEqual(['evt_wh_1_1', 'evt_wh_2_1']);
});

it('takes the next number where another process has inserted the page', async () => {
  let isTaken = false;
  const { feed, announce, ids } = open((page) => {
    if (isTaken) return;
    isTaken = true;
    feed.stored.add(page, [event('wh_2', 1)]);
  });
  await announce(webhookOf(), event('wh_1', 1));
  expect(await ids()).toEqual(['evt_wh_2_1', 'evt_wh_1_1']);
});

it('inserts nothing where the page that another process has inserted has the event', async () => {
  const { feed, announce, ids } = open((page) => feed.stored.add(page, [event('wh_1', 1)]));
  await announce(webhookOf(), event('wh_1', 1));
  expect(await ids()).toEqual(['evt_wh_1_1']);
});
