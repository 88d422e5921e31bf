// The contract of lists that are followed by cursor, for every adapter: order, and that nothing is missed.
import type { PageRequest, Place } from '@busbar/domain';
import type { Tag } from '@busbar/domain/tags';
import type { Clock } from '@busbar/core';
import type { Store } from '../../port';
import { collections } from '../collections';
import { createRecords } from '../create-records';

const TAGS = 40;
/** Longer than any write here takes. */
const VISIBILITY_DELAY_MS = 5_000;

const nameOf = (n: number): string | null => (n % 3 === 0 ? null : `name ${String(n % 5)}`);
/** The longest that OCPP 2.1 allows. */
const textOf = (n: number): string => String(n).padEnd(254, '-');
const tagOf = (clientId: string, n: number): Tag => ({
  clientId,
  idTag: `T${textOf(n)}`,
  idTagKey: `t${textOf(n)}`,
  tokenName: nameOf(n),
  parentIdTag: null,
  blocked: false,
  startDate: null,
  expiringDate: null,
  externalId: null,
  type: null,
  updatedAt: timeAt(n % 7),
});
const timeAt = (second: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();

/** Reads a list to its end by cursor. `isQuiet`: nobody writes meanwhile. */
async function followed<T, K extends string>(
  list: (page: PageRequest<K>) => Promise<{ items: readonly T[]; next?: Place | undefined }>,
  order: Pick<PageRequest<K>, 'sortKey' | 'sortDescending'>,
  isQuiet = true,
): Promise<T[]> {
  const items: T[] = [];
  for (let page = 1, after: Place | undefined; ; page += 1) {
    const found = await list({ ...order, page, limit: 7, after });
    // A document that is being changed may be missing from a page of MongoDB; it is in a later synchronization.
    if (isQuiet) expect(found.items.length).toBeGreaterThan(0);
    items.push(...found.items);
    if (found.next === undefined) return items;
    after = found.next;
  }
}

export function describeFollowedLists(name: string, create: () => Store): void {
  describe(name, () => {
    let store: Store;
    let records: ReturnType<typeof createRecords>;
    beforeAll(async () => {
      store = create();
      records = createRecords(store);
      await store.start();
      for (let n = 0; n < TAGS; n += 1) await records.tags.insert(tagOf('c', n));
      await records.tags.insert(tagOf('other', 1));
      const sessions = Array.from({ length: TAGS }, (_, n) => ({
        _id: `s${String(n)}`,
        sessionId: `s${String(n)}`,
        transactionId: n + 1,
        clientId: 'c',
        siteId: n % 3,
        chargerId: `C-${String(n % 4)}`,
        incarnationId: 'i',
        socketId: 1,
        idTag: 'T',
        idTagKey: 't',
        startTime: timeAt(n % 5),
        endTime: n % 4 === 0 ? null : timeAt(n % 6),
        recordedAt: timeAt(n),
        meterStart: 0,
        meterStop: null,
        consumptionWh: null,
        stopReason: null,
        startedOffline: false,
        state: 'ongoing' as const,
        updatedAt: timeAt(n % 7),
      }));
      await store.collection(collections.sessions).bulk(sessions.map((insert) => ({ insert })));
    });
    afterAll(() => store.stop());

    const whole = { page: 1, limit: 100 } as const;

    it.each(['idTag', 'tokenName', 'updatedAt'] as const)(
      'returns tags in the order of their %s, missing values included',
      async (sortKey) => {
        for (const sortDescending of [false, true]) {
          for (const filter of [{}, { search: 't1' }, { updatedSince: timeAt(3) }]) {
            const order = { sortKey, sortDescending };
            const list = (page: PageRequest<typeof sortKey>) => records.tags.list('c', filter, page);
            expect(await followed(list, order)).toEqual((await list({ ...whole, ...order })).items);
          }
        }
      },
    );

    it.each(['startTime', 'endTime', 'updatedAt'] as const)(
      'returns sessions in the order of their %s',
      async (sortKey) => {
        for (const sortDescending of [false, true]) {
          for (const filter of [{}, { siteIds: [0, 1] }, { chargerIds: ['C-1', 'C-2'], updatedSince: timeAt(2) }]) {
            const order = { sortKey, sortDescending };
            const list = (page: PageRequest<typeof sortKey>) => records.sessions.list('c', filter, page);
            expect(await followed(list, order)).toEqual((await list({ ...whole, ...order })).items);
          }
        }
      },
    );

    it('misses no change of concurrent writers whose clocks differ', async () => {
      const clock = (offsetMs: number): Clock => ({ now: () => new Date(Date.now() + offsetMs) }) as unknown as Clock;
      const writers = [-900, 0, 700].map((offset) => createRecords(store, clock(offset)).tags);
      const copy = new Map<string, Tag>();
      let since = new Date(0).toISOString();
      const synchronize = async (): Promise<void> => {
        const order = { sortKey: 'updatedAt', sortDescending: false } as const;
        const visibleUntil = new Date(Date.now() - VISIBILITY_DELAY_MS).toISOString();
        const list = (page: PageRequest<'updatedAt'>) => records.tags.list('busy', { updatedSince: since }, page);
        for (const tag of await followed(list, order, false)) copy.set(tag.idTag, tag);
        since = visibleUntil;
      };
      const write = async (writer: number): Promise<void> => {
        for (let n = 0; n < 60; n += 1) {
          const tag = { ...tagOf('busy', (n * 7 + writer) % 25), updatedAt: undefined };
          await writers[writer]?.put({ ...tag, tokenName: `${String(writer)} ${String(n)}` });
        }
      };
      await records.tags.insert(tagOf('busy', 0));
      const writing = new Set(writers.keys());
      const following = (async () => {
        while (writing.size > 0) await synchronize();
      })();
      await Promise.all(writers.map((_, writer) => write(writer).finally(() => writing.delete(writer))));
      await following;
      await synchronize();
      const stored = await records.tags.list('busy', {}, { ...whole, sortKey: 'idTag', sortDescending: false });
      expect(stored.items).toHaveLength(25);
      for (const tag of stored.items) expect(copy.get(tag.idTag)).toEqual(tag);
    });
  });
}
