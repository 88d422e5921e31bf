import { exampleEvent } from '@busbar/contracts';
import { storedFeed } from '../testing/stored-feed';
import { openClientFeed, type ClientFeed } from './client-feed';
import { placeAt, refuseDeleted } from './feed-places';

const minute = (n: number): string => new Date(Date.UTC(2026, 0, 1, 0, n)).toISOString();

let feed: ReturnType<typeof storedFeed>;
let client: ClientFeed;
beforeEach(async () => {
  feed = storedFeed();
  // A page every ten minutes; the second partition has one page, the first twenty.
  for (let page = 1; page <= 20; page += 1) add(page, 10 * page);
  add(1, 55, 1);
  client = await openClientFeed(feed, 'c');
});

function add(page: number, at: number, partition = 0): void {
  feed.stored.add({ clientId: 'c', partition, page }, [exampleEvent('charger.connected')], minute(at));
}
const place = async (at: number) => (await placeAt(feed, client, minute(at))).pages;

it.each([
  [0, [0, 0, 0]],
  [10, [0, 0, 0]],
  [11, [1, 0, 0]],
  [55, [5, 0, 0]],
  [56, [5, 1, 0]],
  [199, [19, 1, 0]],
  [200, [19, 1, 0]],
  [201, [20, 1, 0]],
])('finds the place of minute %i before the first page of that time or later', async (at, pages) => {
  expect(await place(at)).toEqual(pages);
});

it('gives a cursor that can be continued from', async () => {
  const position = await placeAt(feed, client, minute(55));
  expect(await client.parse(client.format(position), 'after')).toEqual(position);
});

it('responds cursor_expired with the oldest cursor for a time of which pages may be deleted', async () => {
  feed.stored.remove({ clientId: 'c', partition: 0, page: 1 });
  await expect(place(15)).rejects.toMatchObject({
    code: 'cursor_expired',
    details: { oldest: client.format(await client.oldest()) },
  });
  expect(await place(21)).toEqual([2, 0, 0]);
});

it('finds the place of a later time than deletion by age has come to, in a stream that rested before', async () => {
  feed.stored.remove({ clientId: 'c', partition: 0, page: 1 });
  feed.stored.prunedBefore = minute(12);
  expect(await place(15)).toEqual([1, 0, 0]);
});

it('refuses a position whose next page is deleted', async () => {
  const position = (page: number) => ({ pages: [page, 0], next: 0, taken: 0 });
  await refuseDeleted(feed, client, position(0));
  feed.stored.remove({ clientId: 'c', partition: 0, page: 1 });
  await expect(refuseDeleted(feed, client, position(0))).rejects.toMatchObject({ code: 'cursor_expired' });
  await refuseDeleted(feed, client, position(1));
});
