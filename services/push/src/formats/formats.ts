// The formats of webhooks, as deliveries use them. The rules are pure and in libs/domain; this reads what they need of the charger.
import { eventOwnerOf, type FeedEvent } from '@busbar/domain/feed';
import { pushMessages, standardMessage, type FormatEvent, type PushFormat } from '@busbar/domain/webhooks';
import type { Webhook, WebhookFormat } from '@busbar/domain/webhooks';
import { createPushedChargers, type PushedChargers, type PushedChargersDeps } from './pushed-chargers';

export type Formats = Readonly<Record<WebhookFormat, FormatEvent>>;

/** A format rejects where it cannot read the charger: the event is then not tried, and stays. */
export function createFormats(deps: PushedChargersDeps): Formats {
  const chargers = createPushedChargers(deps);
  return {
    standard: (event, json, webhook) => Promise.resolve([standardMessage(event, json, webhook)]),
    'push-v1': pushFormat('push-v1', chargers),
    'push-v2': pushFormat('push-v2', chargers),
  };
}

function pushFormat(format: PushFormat, chargers: PushedChargers): FormatEvent {
  return async (event, json, webhook) => {
    // The documented messages have none for a test, which its owner orders: a request shows that the address answers.
    if (event.type === 'webhook.test') return [{ id: event.id, body: json, headers: {} }];
    const charger = await findCharger(event, webhook, chargers);
    return charger === undefined ? [] : pushMessages(format, event, charger, webhook);
  };
}

async function findCharger(
  { id, chargerId }: FeedEvent,
  { clientId }: Pick<Webhook, 'clientId'>,
  chargers: PushedChargers,
) {
  const incarnationId = eventOwnerOf(id);
  if (chargerId === null || incarnationId === undefined) return undefined;
  return chargers.find(clientId, { chargerId, incarnationId });
}
