// Events that were given up after their last attempt. They have their JSON, so they are bounded in number and in age.
import type { Records } from '@busbar/domain';
import { MAX_DEAD_DELIVERIES, type DeadDelivery } from '@busbar/domain/webhooks';
import { and, eq, oneOf, type Store } from '../../port';
import { collections, type DeadDeliveryDocument } from '../collections';
import { createListPage } from '../lists/list-page';
import { omitKeys } from '../omit-keys';
import { trim } from '../trim';

/** `max`: of one webhook; the oldest above it are deleted. */
export function deadDeliveryRecords(store: Store, max = MAX_DEAD_DELIVERIES): Records['deadDeliveries'] {
  const dead = store.collection(collections.deadDeliveries);
  const webhooks = store.collection(collections.webhooks);
  const deadPage = createListPage(dead);
  return {
    async insert(delivery) {
      const { webhookId, eventId } = delivery;
      const { inserted } = await dead.insert({ _id: keyOf(webhookId, eventId), ...delivery });
      if (!inserted) return;
      const [found] = await webhooks.findValues(eq('_id', webhookId), ['_id'], { limit: 1 });
      // Deleted meanwhile, with all that was there.
      if (found === undefined) await dead.delete(eq('_id', keyOf(webhookId, eventId)));
      else await trim(dead, eq('webhookId', webhookId), 'parkedAt', max);
    },
    async find(webhookId, eventIds) {
      if (eventIds.length === 0) return [];
      const keys = eventIds.map((eventId) => keyOf(webhookId, eventId));
      return (await dead.find(oneOf('_id', keys))).map(deliveryOf);
    },
    async remove(webhookId, eventId) {
      await dead.delete(eq('_id', keyOf(webhookId, eventId)), 1);
    },
    count: (webhookId) => dead.count(eq('webhookId', webhookId)),
    async list(webhookId, page) {
      const found = await deadPage(and(eq('webhookId', webhookId)), page, '_id');
      return { ...found, items: found.items.map(deliveryOf) };
    },
  };
}

function keyOf(webhookId: string, eventId: string): string {
  return `${webhookId}/${eventId}`;
}

function deliveryOf(document: DeadDeliveryDocument): DeadDelivery {
  return omitKeys(document, '_id');
}
