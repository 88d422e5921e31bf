// The contract of the rows that deleted chargers leave, for every adapter.
import { createFakeClock } from '@busbar/testing';
import type { Charger } from '@busbar/domain/chargers';
import type { DeletedCharger, FeedPage } from '@busbar/domain/feed';
import { newCharger } from '@busbar/domain/testing';
import type { Store } from '../../port';
import { createRecords, type StoredRecords } from '../create-records';
import { createDeletedChargers } from './deleted-chargers';
import { createFeedReader } from './feed-pages';

const NOW = '2026-01-01T12:00:00.000Z';
const LATER = '2026-01-01T12:00:01.000Z';
const PAGE: FeedPage = {
  clientId: 'c',
  partition: 3,
  page: 1,
  at: NOW,
  highest: '{"I":1}',
  count: 1,
  events: '[{"sequence":1}]',
};

/** `create` returns an empty store each time. */
export function describeDeletedChargers(title: string, create: () => Store): void {
  describe(title, () => {
    let store: Store;
    let records: StoredRecords;
    const announced: string[] = [];
    beforeEach(async () => {
      store = create();
      announced.length = 0;
      const announce = (chargers: readonly Pick<Charger, 'chargerId'>[]): void =>
        void announced.push(...chargers.map(({ chargerId }) => chargerId));
      records = createRecords(store, createFakeClock(new Date(NOW)), announce);
      await store.start();
      await records.chargers.insert(newCharger({ chargerId: 'A', clientId: 'c', incarnationId: 'I' }));
      announced.length = 0;
    });
    afterEach(() => store.stop());

    async function removed(): Promise<DeletedCharger> {
      const found = await records.chargers.find('A');
      expect(found !== undefined && (await records.chargers.remove(found))).toBe(true);
      const [row] = await createDeletedChargers(store).find(['I']);
      if (row === undefined) throw new Error('the charger left no row');
      return row;
    }

    it('leaves the record with its outbox, and announces it', async () => {
      const row = await removed();
      expect(row).toMatchObject({ deletedAt: NOW, isLast: false, charger: { chargerId: 'A', clientId: 'c' } });
      expect(Object.values(row.charger.outbox?.others ?? {})).toMatchObject([{ type: 'charger.created' }]);
      expect(announced).toEqual(['A']);
      expect(await createDeletedChargers(store).before(LATER, 10)).toEqual([
        { chargerId: 'A', incarnationId: 'I', at: NOW },
      ]);
      expect(await createDeletedChargers(store).before(NOW, 10)).toEqual([]);
    });

    it('leaves the push settings of a charger that was pushed, for events that wait, and those of no other', async () => {
      const { deletedPushedChargers, chargers } = records;
      await removed();
      expect(await deletedPushedChargers.find('c', 'I')).toBeUndefined();
      const settings = {
        pushIntegrationEnabled: true,
        integrationRelays: ['Billing'],
        sockets: [{ id: 1, name: 'Left' }],
      };
      for (const [incarnationId, registered] of [
        ['I2', settings],
        ['I3', { pushIntegrationEnabled: false }],
      ] as const) {
        await chargers.insert(newCharger({ chargerId: 'A', clientId: 'c', incarnationId, registered }));
        const found = await chargers.find('A');
        expect(found !== undefined && (await chargers.remove(found))).toBe(true);
      }
      expect(await deletedPushedChargers.find('c', 'I2')).toEqual(settings);
      expect(await deletedPushedChargers.find('d', 'I2')).toBeUndefined();
      expect(await deletedPushedChargers.find('c', 'I3')).toBeUndefined();
    });

    it('deletes no record that has changed since it was read', async () => {
      const found = await records.chargers.find('A');
      if (found === undefined) throw new Error('no record');
      await records.chargers.replaceOngoing(found, { '1': 'S' } as unknown as Charger['reported']['ongoing']);
      expect(await records.chargers.remove(found)).toBe(false);
      expect(announced).toEqual([]);
      const row = await removed();
      expect(row.charger.revision).toBe(found.revision + 1);
    });

    it('changes the outbox together with its page, by compare-and-set on the revision', async () => {
      const from = await removed();
      const outbox = { page: 1, items: '{}', first: 1, next: 2 };
      const charger = { ...from.charger, outbox, revision: from.charger.revision + 1 };
      const change = { from, to: { ...from, charger, isLast: true } };
      const { write, find, remove } = createDeletedChargers(store);
      expect(await write([change], [PAGE])).toBe('written');
      expect(await write([change], [{ ...PAGE, page: 2 }])).toBe('conflict');
      const pages = await createFeedReader(store).pagesAfter({ ...PAGE, page: 0 }, 10);
      expect(pages.map(({ page }) => page)).toEqual([1]);
      const rows = await find(['I']);
      expect(rows).toMatchObject([{ isLast: true, charger: { outbox, revision: charger.revision } }]);
      await remove(rows);
      expect(await find(['I'])).toEqual([]);
    });
  });
}
