// The contract of webhooks, their standings, attempts and dead-lettered events for every adapter.
import { createId } from '@busbar/core';
import { newAttempt, newDeadDelivery, newStanding, newWebhook } from '@busbar/domain/testing';
import { HEALTHY, MAX_WEBHOOKS, type DeliveryFilter, type Webhook } from '@busbar/domain/webhooks';
import { and, type CollectionDefinition, type Document, type Store } from '../../port';
import { collections } from '../collections';
import { createRecords, type StoredRecords } from '../create-records';
import { deadDeliveryRecords } from './dead-deliveries';

const START = Date.UTC(2026, 0, 1);
const minute = (n: number): string => new Date(START + n * 60_000).toISOString();
const NEWEST = { page: 1, limit: 100, sortDescending: true } as const;

/** `create` returns an empty store each time. */
export function describeWebhooks(title: string, create: () => Store): void {
  describe(title, () => {
    let store: Store;
    let records: StoredRecords;
    beforeEach(async () => {
      store = create();
      records = createRecords(store);
      await store.start();
    });
    afterEach(() => store.stop());

    const inserted = async (over: Partial<Webhook> = {}): Promise<Webhook> => {
      const webhook = newWebhook(over);
      expect(await records.webhooks.insert(webhook)).toBe(true);
      return webhook;
    };

    describe('webhooks', () => {
      it('are found by their client alone, as they were stored', async () => {
        const webhook = await inserted({ siteIds: [1, 2], secrets: [{ encrypted: 'v1.x', endsAt: null }] });
        expect(await records.webhooks.find('c', 'wh_1')).toEqual(webhook);
        expect(await records.webhooks.find('other', 'wh_1')).toBeUndefined();
      });

      it('are listed oldest first for their client, and by id for all', async () => {
        await inserted({ webhookId: 'wh_a', createdAt: minute(2) });
        await inserted({ webhookId: 'wh_b', createdAt: minute(1) });
        await inserted({ webhookId: 'wh_c', clientId: 'other' });
        const ids = (found: readonly Webhook[]) => found.map(({ webhookId }) => webhookId);
        expect(ids(await records.webhooks.listOf('c'))).toEqual(['wh_b', 'wh_a']);
        expect(ids(await records.webhooks.listAfter(undefined, 2))).toEqual(['wh_a', 'wh_b']);
        expect(ids(await records.webhooks.listAfter('wh_b', 2))).toEqual(['wh_c']);
      });

      it('are replaced by compare-and-set on the revision', async () => {
        const webhook = await inserted();
        const changed = { ...webhook, revision: 2, description: 'changed', siteIds: null };
        expect(await records.webhooks.replace(changed, 1)).toBe(true);
        expect(await records.webhooks.replace({ ...changed, description: 'late' }, 1)).toBe(false);
        expect(await records.webhooks.replace({ ...changed, clientId: 'other', revision: 3 }, 2)).toBe(false);
        expect(await records.webhooks.find('c', 'wh_1')).toEqual(changed);
      });

      it('are at most sixteen of a client, also where many are created at the same time', async () => {
        const create = (n: number) => records.webhooks.insert(newWebhook({ webhookId: `wh_${String(n)}` }));
        const results = await Promise.all(Array.from({ length: 40 }, (_, n) => create(n)));
        expect(results.filter((isInserted) => isInserted)).toHaveLength(MAX_WEBHOOKS);
        const stored = await records.webhooks.listAfter(undefined, 100);
        expect(stored).toHaveLength(MAX_WEBHOOKS);
        await inserted({ webhookId: 'wh_other', clientId: 'other' });
        expect(await records.webhooks.delete('c', stored[3]?.webhookId ?? '')).toBe(true);
        await inserted({ webhookId: 'wh_in_its_place' });
        expect(await create(99)).toBe(false);
      });

      it('are deleted with all that belongs to them, and nothing of others', async () => {
        for (const webhookId of ['wh_1', 'wh_2']) {
          await inserted({ webhookId });
          await records.webhookStandings.save(newStanding({ webhookId }), 0);
          await records.deliveryLog.append([newAttempt({ id: createId(START), webhookId })]);
          await records.deadDeliveries.insert(newDeadDelivery({ webhookId }));
        }
        expect(await records.webhooks.delete('other', 'wh_1')).toBe(false);
        expect(await records.webhooks.delete('c', 'wh_1')).toBe(true);
        expect(await records.webhooks.delete('c', 'wh_1')).toBe(false);
        const definitions: readonly CollectionDefinition<Document>[] = [
          collections.webhooks,
          collections.webhookStandings,
          collections.deliveryLog,
          collections.deadDeliveries,
        ];
        for (const definition of definitions) {
          expect(await store.collection(definition).find(and())).toMatchObject([{ webhookId: 'wh_2' }]);
        }
      });

      it('leave nothing where a deletion was killed and is repeated', async () => {
        await inserted();
        await records.webhookStandings.save(newStanding(), 0);
        await records.deadDeliveries.insert(newDeadDelivery());
        await store.collection(collections.webhooks).delete(and());
        expect(await records.webhooks.delete('c', 'wh_1')).toBe(false);
        expect(await records.webhookStandings.find(['wh_1'])).toEqual([]);
        expect(await records.deadDeliveries.count('wh_1')).toBe(0);
      });
    });

    describe('standings', () => {
      it('are saved by compare-and-set on the revision', async () => {
        await inserted();
        const first = newStanding();
        expect(await records.webhookStandings.save(first, 0)).toBe(true);
        expect(await records.webhookStandings.save(first, 0)).toBe(false);
        const progress = { ...first.progress, above: [{ partition: 0, page: 2, index: 1 }] };
        const second = { ...first, revision: 2, progress, health: { ...HEALTHY, failures: 4 } };
        expect(await records.webhookStandings.save(second, 1)).toBe(true);
        expect(await records.webhookStandings.save({ ...second, announced: 9 }, 1)).toBe(false);
        expect(await records.webhookStandings.find(['wh_1', 'wh_9'])).toEqual([second]);
      });

      it('are not saved for a webhook that is deleted', async () => {
        expect(await records.webhookStandings.save(newStanding(), 0)).toBe(false);
        expect(await records.webhookStandings.find(['wh_1'])).toEqual([]);
        await inserted();
        await records.webhookStandings.save(newStanding(), 0);
        await records.webhooks.delete('c', 'wh_1');
        expect(await records.webhookStandings.save(newStanding({ revision: 2 }), 1)).toBe(false);
      });
    });

    describe('delivery attempts', () => {
      const at = (n: number) => ({ id: createId(START + n * 60_000), at: minute(n) });
      const listed = async (filter: DeliveryFilter, webhookId = 'wh_1') => {
        const { items } = await records.deliveryLog.list(webhookId, filter, { ...NEWEST, sortKey: 'at' });
        return items.map((attempt) => attempt.at);
      };

      it('are listed newest first, and stored once', async () => {
        const first = newAttempt(at(1));
        const second = newAttempt({ ...at(2), outcome: 'failed', httpStatus: null, error: 'timeout' });
        await records.deliveryLog.append([second, first]);
        await records.deliveryLog.append([first]);
        await records.deliveryLog.append([]);
        const page = await records.deliveryLog.list('wh_1', {}, { ...NEWEST, sortKey: 'at' });
        expect(page).toMatchObject({ total: 2, items: [second, first] });
        expect(page.items[0]).toEqual(second);
        expect(await listed({}, 'wh_2')).toEqual([]);
      });

      it('are filtered by outcome, event, charger and time', async () => {
        await records.deliveryLog.append([
          newAttempt(at(1)),
          newAttempt({ ...at(2), outcome: 'refused', eventId: 'evt_I_2' }),
          newAttempt({ ...at(3), outcome: 'failed', chargerId: null }),
          newAttempt({ ...at(4), outcome: 'refused', webhookId: 'wh_2' }),
        ]);
        expect(await listed({ outcome: 'delivered' })).toEqual([minute(1)]);
        expect(await listed({ outcome: 'refused' })).toEqual([minute(2)]);
        expect(await listed({ outcome: 'failed', chargerId: 'A' })).toEqual([]);
        expect(await listed({ eventId: 'evt_I_2' })).toEqual([minute(2)]);
        expect(await listed({ chargerId: 'A' })).toEqual([minute(2), minute(1)]);
        expect(await listed({ from: minute(2) })).toEqual([minute(3), minute(2)]);
        expect(await listed({ to: minute(2) })).toEqual([minute(2), minute(1)]);
        expect(await listed({ from: minute(2), to: minute(2), outcome: 'refused' })).toEqual([minute(2)]);
      });
    });

    describe('dead-lettered events', () => {
      const listed = async () => {
        const { items } = await records.deadDeliveries.list('wh_1', { ...NEWEST, sortKey: 'parkedAt' });
        return items.map(({ eventId }) => eventId);
      };

      it('are listed newest first, found by event, and removed', async () => {
        await inserted();
        const [older, newer] = [1, 2].map((n) => newDeadDelivery({ eventId: `e${String(n)}`, parkedAt: minute(n) }));
        for (const each of [older, newer, older]) if (each !== undefined) await records.deadDeliveries.insert(each);
        expect(await listed()).toEqual(['e2', 'e1']);
        expect(await records.deadDeliveries.find('wh_1', ['e1', 'e9'])).toEqual([older]);
        expect(await records.deadDeliveries.find('wh_2', ['e1'])).toEqual([]);
        await records.deadDeliveries.remove('wh_1', 'e1');
        expect(await records.deadDeliveries.count('wh_1')).toBe(1);
      });

      it('keep the newest of a webhook', async () => {
        await inserted();
        const bounded = deadDeliveryRecords(store, 3);
        for (const n of [2, 1, 3, 4]) {
          await bounded.insert(newDeadDelivery({ eventId: `e${String(n)}`, parkedAt: minute(n) }));
        }
        expect(await listed()).toEqual(['e4', 'e3', 'e2']);
      });

      it('are not kept for a webhook that is deleted', async () => {
        await records.deadDeliveries.insert(newDeadDelivery());
        expect(await records.deadDeliveries.count('wh_1')).toBe(0);
      });
    });
  });
}
