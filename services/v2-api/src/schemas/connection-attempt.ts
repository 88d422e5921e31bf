import { chargerIdSchema } from '@busbar/api';
import { pageQuerySchema } from '@busbar/http';
import { timestampSchema, recordSchema } from './values';

const { page, limit, sortKey, sortDescending } = pageQuerySchema(['at']).properties;

export const connectionAttemptQuerySchema = {
  type: 'object',
  properties: {
    ...{ page, limit, sortKey, sortDescending },
    chargerId: chargerIdSchema,
    from: { ...timestampSchema, description: 'Rejected at this timestamp or after it.' },
    to: { ...timestampSchema, description: 'Rejected at this timestamp or before it.' },
  },
  additionalProperties: false,
} as const;

export const connectionAttemptSchema = recordSchema('ConnectionAttempt', {
  at: { ...timestampSchema, description: 'When the attempt was rejected; of several the last one.' },
  chargerId: { type: 'string' },
  remoteAddress: {
    type: ['string', 'null'],
    description: 'Behind a proxy what it says of the address; null where it says nothing.',
  },
  reason: {
    type: 'string',
    description:
      'The `code` of the response, such as `unauthorized`; or `no_subprotocol`; or `no_websocket_upgrade` for a request ' +
      'without `Upgrade: websocket`, as behind a proxy that does not forward websockets.',
  },
  protocols: { type: 'array', items: { type: 'string' }, description: 'The subprotocols that the charger offered.' },
  requestId: { type: 'string', description: 'Of the response; the gateway logs it too.' },
  count: {
    type: 'integer',
    minimum: 1,
    description: 'The first attempt with a reason is an item by itself; those of each minute after it are one item.',
  },
});
