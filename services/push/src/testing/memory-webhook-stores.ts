// The ports of webhooks in memory, with a switch for an outage.
import { AppError } from '@busbar/core';
import type { DeadDelivery, DeliveryAttempt, Webhook, WebhookStanding } from '@busbar/domain/webhooks';
import type { PushRecords } from '../webhook-deliveries';

type Stores = Pick<PushRecords, 'webhooks' | 'webhookStandings' | 'deliveryLog' | 'deadDeliveries'>;

export interface MemoryWebhookStores extends Stores {
  readonly stored: Map<string, Webhook>;
  readonly standings: Map<string, WebhookStanding>;
  readonly attempts: DeliveryAttempt[];
  readonly dead: Map<string, DeadDelivery>;
  /** While it is on, everything rejects. */
  cut(isCut: boolean): void;
}

export function createMemoryWebhookStores(): MemoryWebhookStores {
  const stored = new Map<string, Webhook>();
  const standings = new Map<string, WebhookStanding>();
  const attempts: DeliveryAttempt[] = [];
  const dead = new Map<string, DeadDelivery>();
  let isCut = false;

  async function access<T>(work: () => T): Promise<T> {
    await Promise.resolve();
    if (isCut) throw new AppError('unavailable', 'The store is unavailable.');
    return work();
  }

  return {
    stored,
    standings,
    attempts,
    dead,
    cut: (now) => void (isCut = now),
    webhooks: {
      find: (clientId, webhookId) =>
        access(() => {
          const found = stored.get(webhookId);
          return found?.clientId === clientId ? found : undefined;
        }),
      listOf: (clientId) => access(() => [...stored.values()].filter((each) => each.clientId === clientId)),
      listAfter: (webhookId = '', limit) =>
        access(() => {
          const behind = [...stored.values()].filter((each) => each.webhookId > webhookId);
          return behind.sort((one, other) => (one.webhookId < other.webhookId ? -1 : 1)).slice(0, limit);
        }),
    },
    webhookStandings: {
      find: (ids) => access(() => ids.flatMap((id) => standings.get(id) ?? [])),
      save: (standing, revision) =>
        access(() => {
          const { webhookId } = standing;
          if (!stored.has(webhookId) || (standings.get(webhookId)?.revision ?? 0) !== revision) return false;
          // As a store does: no object is shared.
          standings.set(webhookId, JSON.parse(JSON.stringify(standing)) as WebhookStanding);
          return true;
        }),
    },
    deliveryLog: { append: (more) => access(() => void attempts.push(...more)) },
    deadDeliveries: {
      insert: (delivery) => access(() => void dead.set(delivery.eventId, delivery)),
      find: (_webhookId, ids) => access(() => ids.flatMap((id) => dead.get(id) ?? [])),
      remove: (_webhookId, eventId) => access(() => void dead.delete(eventId)),
    },
  };
}
