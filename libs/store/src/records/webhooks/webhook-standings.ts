// How far the deliveries of webhooks have come.
import type { Records } from '@busbar/domain';
import type { WebhookStanding } from '@busbar/domain/webhooks';
import { and, eq, oneOf, type Store } from '../../port';
import { asFields } from '../as-json';
import { omitKeys } from '../omit-keys';
import { collections } from '../collections';

export function webhookStandingRecords(store: Store): Records['webhookStandings'] {
  const standings = store.collection(collections.webhookStandings);
  const webhooks = store.collection(collections.webhooks);

  /** A deletion deletes the webhook first, then the standing: one that it has missed finds no webhook here. */
  async function isKept({ webhookId }: WebhookStanding): Promise<boolean> {
    const [found] = await webhooks.findValues(eq('_id', webhookId), ['_id'], { limit: 1 });
    if (found !== undefined) return true;
    await standings.delete(eq('_id', webhookId));
    return false;
  }

  return {
    async find(webhookIds) {
      if (webhookIds.length === 0) return [];
      return (await standings.find(oneOf('_id', webhookIds))).map((document) => omitKeys(document, '_id'));
    },
    async save(standing, revision) {
      const { webhookId } = standing;
      if (revision === 0) {
        return (await standings.insert({ _id: webhookId, ...standing })).inserted && (await isKept(standing));
      }
      const same = and(eq('_id', webhookId), eq('revision', revision), eq('clientId', standing.clientId));
      return (await standings.update(same, { set: asFields(standing) })) === 1;
    },
  };
}
