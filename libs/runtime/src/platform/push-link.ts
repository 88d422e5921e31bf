// Sends requests about webhooks to services/push, and announces changes of webhooks to it, over any broker.
import type { Broker } from '@busbar/broker';
import { channels } from '@busbar/contracts';
import type { PushLink } from '@busbar/domain/webhooks';

/** A request to a receiver takes 15 s at most; beside it both ways through the broker. */
const WITHIN_MS = 20_000;

export function createPushLink(broker: Pick<Broker, 'broadcast' | 'request'>): PushLink {
  return {
    announce: (clientId, webhookId) => broker.broadcast(channels.webhooks, { clientId, webhookId }),
    async ask(request) {
      const result = await broker.request(channels.pushRequests, '', request, WITHIN_MS);
      return result.outcome === 'answered' ? result.answer : { result: 'unavailable' };
    },
  };
}
