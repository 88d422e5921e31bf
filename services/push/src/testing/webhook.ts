import type { Webhook } from '@busbar/domain/webhooks';

/** A webhook from the beginning of the feed of a client `c`. */
export function webhookOf(over: Partial<Webhook> = {}): Webhook {
  return {
    webhookId: 'wh_1',
    clientId: 'c',
    url: 'https://receiver.example.com/',
    description: '',
    format: 'standard',
    types: ['*'],
    chargerIds: null,
    siteIds: null,
    includeSubsites: false,
    ordering: 'charger',
    maxInFlight: 8,
    authorization: null,
    secrets: [],
    enabled: true,
    activation: 1,
    begin: { id: 'b1', generation: 'g', position: { pages: [0, 0], next: 0, taken: 0 } },
    createdAt: '2026-01-31T00:00:00.000Z',
    revision: 1,
    updatedAt: '2026-01-31T00:00:00.000Z',
    ...over,
  };
}
