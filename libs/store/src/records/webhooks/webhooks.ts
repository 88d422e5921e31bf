// Webhooks as the APIs and push read and write them.
import type { Records } from '@busbar/domain';
import { MAX_WEBHOOKS, type Webhook } from '@busbar/domain/webhooks';
import { and, eq, gt, type Store } from '../../port';
import { asFields } from '../as-json';
import { omitKeys } from '../omit-keys';
import { collections, type WebhookDocument } from '../collections';

/** Attempts of a webhook that are deleted at once, and with the webhook; the rest is deleted by age, and nobody can list it. */
const ATTEMPTS_BATCH = 5_000;
const MAX_DELETED_ATTEMPTS = 100_000;

export function webhookRecords(store: Store): Records['webhooks'] {
  const webhooks = store.collection(collections.webhooks);
  const standings = store.collection(collections.webhookStandings);
  const attempts = store.collection(collections.deliveryLog);
  const dead = store.collection(collections.deadDeliveries);

  async function deleteRows(clientId: string, webhookId: string): Promise<void> {
    const own = and(eq('webhookId', webhookId), eq('clientId', clientId));
    await standings.delete(and(eq('_id', webhookId), eq('clientId', clientId)));
    await dead.delete(own);
    for (let deleted = 0; deleted < MAX_DELETED_ATTEMPTS; deleted += ATTEMPTS_BATCH) {
      if ((await attempts.delete(own, ATTEMPTS_BATCH)) < ATTEMPTS_BATCH) return;
    }
  }

  return {
    async find(clientId, webhookId) {
      const found = await webhooks.get(webhookId);
      return found?.clientId === clientId ? webhookOf(found) : undefined;
    },
    async listOf(clientId) {
      const sort = [['createdAt', 1] as const, ['_id', 1] as const];
      const found = await webhooks.find(eq('clientId', clientId), { sort, limit: MAX_WEBHOOKS });
      return found.map(webhookOf);
    },
    async listAfter(webhookId, limit) {
      const behind = webhookId === undefined ? and() : gt('_id', webhookId);
      return (await webhooks.find(behind, { sort: [['_id', 1]], limit })).map(webhookOf);
    },
    async insert(webhook) {
      // Each webhook has one of its client's numbers, which are unique: so two that are created at once cannot both be the last.
      const { clientId, webhookId } = webhook;
      const taken = await webhooks.findValues(eq('clientId', clientId), ['slot']);
      const slots = new Set(taken.map(([slot]) => slot));
      for (let n = 1; n <= MAX_WEBHOOKS; n += 1) {
        const slot = `${clientId}/${String(n)}`;
        if (slots.has(slot)) continue;
        if ((await webhooks.insert({ _id: webhookId, slot, ...webhook })).inserted) return true;
      }
      return false;
    },
    async replace(webhook, revision) {
      const { webhookId, clientId } = webhook;
      const same = and(eq('_id', webhookId), eq('clientId', clientId), eq('revision', revision));
      return (await webhooks.update(same, { set: asFields(webhook) })) === 1;
    },
    async delete(clientId, webhookId) {
      const deleted = await webhooks.delete(and(eq('_id', webhookId), eq('clientId', clientId)), 1);
      // Also where a deletion before was killed here.
      await deleteRows(clientId, webhookId);
      return deleted === 1;
    },
  };
}

function webhookOf(document: WebhookDocument): Webhook {
  return omitKeys(document, '_id', 'slot');
}
