import { exampleEvent, partitionOf } from '@busbar/contracts';
import { createId } from '@busbar/core';
import type { ConnectionRecord } from '../chargers/connections/connection-record';
import { storedFeed } from '../testing/stored-feed';
import { findEvent } from './find-event';

const PARTITIONS = 2;
const BUSY = createId();
const RARE = createId();

function world({ connected = [] as readonly string[] } = {}) {
  const feed = storedFeed({ generation: 'g', partitions: PARTITIONS });
  const connectionHistory = {
    list: (incarnationId: string) => {
      const items = connected.includes(incarnationId) ? [{ chargerId: 'A' } as ConnectionRecord] : [];
      return Promise.resolve({ items, total: items.length });
    },
  };
  const partition = partitionOf('A', PARTITIONS);
  const event = (incarnationId: string, sequence: number) => {
    return { ...exampleEvent('charger.booted'), id: `evt_${incarnationId}_${String(sequence)}`, sequence };
  };
  // One charger in each page with two events, another in one page only.
  for (let page = 1; page <= 40; page += 1) {
    const rare = page === 17 ? [event(RARE, 1), event(RARE, 2)] : [];
    const events = [event(BUSY, 2 * page - 1), event(BUSY, 2 * page), ...rare];
    feed.stored.add({ clientId: 'c', partition, page }, events);
  }
  const find = (incarnationId: string, sequence: number, clientId = 'c') =>
    findEvent({ feed, connectionHistory }, clientId, `evt_${incarnationId}_${String(sequence)}`);
  return { feed, find, partition, deps: { feed, connectionHistory } };
}

it('finds every event of a charger', async () => {
  const { find } = world({ connected: [BUSY] });
  for (let sequence = 1; sequence <= 80; sequence += 1) expect((await find(BUSY, sequence)).sequence).toBe(sequence);
});

it('finds events of a charger whose connections are unknown', async () => {
  const { find } = world();
  expect((await find(RARE, 2)).sequence).toBe(2);
  expect((await find(BUSY, 33)).sequence).toBe(33);
});

it("finds a webhook's own events", async () => {
  const { feed, deps } = world();
  const { partitions } = feed.stored.identity;
  const event = { ...exampleEvent('webhook.disabled'), id: 'evt_wh_5tQ2_7' };
  feed.stored.add({ clientId: 'c', partition: partitions, page: 1 }, [event]);
  expect(await findEvent(deps, 'c', 'evt_wh_5tQ2_7')).toEqual(event);
  await expect(findEvent(deps, 'c', 'evt_wh_5tQ2_8')).rejects.toMatchObject({ code: 'not_found' });
});

it.each([
  ['a later sequence', BUSY, 81],
  ['the sequence 0', BUSY, 0],
  ['another charger', createId(), 1],
])('finds none with %s', async (_title, incarnationId, sequence) => {
  await expect(world().find(incarnationId, sequence)).rejects.toMatchObject({ code: 'not_found' });
});

it('finds none of another client, nor one that was deleted by age', async () => {
  const { feed, find, partition } = world();
  await expect(find(BUSY, 1, 'd')).rejects.toMatchObject({ code: 'not_found' });
  for (let page = 1; page < 10; page += 1) feed.stored.remove({ clientId: 'c', partition, page });
  await expect(find(BUSY, 18)).rejects.toMatchObject({ code: 'not_found' });
  expect((await find(BUSY, 19)).sequence).toBe(19);
});

it.each(['evt_', 'mine', `evt_${BUSY}`, `evt_${BUSY}_01`, `evt_${BUSY}_1_1`, `evt_${BUSY}_1e3`, `${BUSY}_1`])(
  'finds none with the id %s',
  async (id) => {
    await expect(findEvent(world().deps, 'c', id)).rejects.toMatchObject({ code: 'not_found' });
  },
);
