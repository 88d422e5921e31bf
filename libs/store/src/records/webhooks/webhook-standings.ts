// How far the deliveries of webhooks have come.
import type { Records } from '@busbar/domain';
import type { WebhookStanding } from '@busbar/domain/webhooks';
import { and, eq, oneOf, type Store } from '../../port';
import { asFields } from '../as-json';
import { omitKeys } from '../omit-keys';
import { collections, type StandingDocument } from '../collections';

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
      return (await standings.find(oneOf('_id', webhookIds))).map(standingOf);
    },
    async save(standing, revision) {
      const { webhookId } = standing;
      const document = documentOf(standing);
      if (revision === 0) return (await standings.insert(document)).inserted && (await isKept(standing));
      const { _id, ...fields } = document;
      const same = and(eq('_id', _id), eq('revision', revision), eq('clientId', standing.clientId));
      return (await standings.update(same, { set: asFields({ ...fields, webhookId }) })) === 1;
    },
  };
}

/** JSON has no Infinity. */
function documentOf(standing: WebhookStanding): StandingDocument {
  const { health } = standing;
  const concurrency = health.concurrency === Infinity ? null : health.concurrency;
  return { _id: standing.webhookId, ...standing, health: { ...health, concurrency } };
}

function standingOf(document: StandingDocument): WebhookStanding {
  const standing = omitKeys(document, '_id');
  const { health } = standing;
  return { ...standing, health: { ...health, concurrency: health.concurrency ?? Infinity } };
}
