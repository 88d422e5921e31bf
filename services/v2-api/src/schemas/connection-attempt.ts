import { chargerIdSchema } from '@busbar/api';
import { REJECTION_REASONS } from '@busbar/domain/chargers';
import { pageQuerySchema } from '@busbar/http';
import { timestampSchema, recordSchema } from './values';

const { page, limit, sortKey, sortDescending } = pageQuerySchema(['at']).properties;

export const connectionAttemptQuerySchema = {
  type: 'object',
  properties: {
    page,
    limit,
    sortKey,
    sortDescending,
    chargerId: chargerIdSchema,
    from: { ...timestampSchema, description: 'Rejected at this timestamp or later.' },
    to: { ...timestampSchema, description: 'Rejected at this timestamp or earlier.' },
  },
  additionalProperties: false,
} as const;

export const connectionAttemptSchema = recordSchema('ConnectionAttempt', {
  at: { ...timestampSchema, description: 'When the attempt was rejected; the last one of several.' },
  chargerId: { type: 'string' },
  remoteAddress: {
    type: ['string', 'null'],
    description: 'Behind a proxy the forwarded address; null without one.',
  },
  reason: {
    type: 'string',
    description:
      'Why, and what to do:\n\n' +
      Object.entries(REJECTION_REASONS)
        .map(([reason, meaning]) => `- \`${reason}\`: ${meaning}`)
        .join('\n'),
  },
  protocols: { type: 'array', items: { type: 'string' }, description: 'The subprotocols that the charger offered.' },
  requestId: { type: 'string', description: 'The id in the response, which the gateway also logs.' },
  count: {
    type: 'integer',
    minimum: 1,
    description:
      'Number of attempts. The first attempt with a reason is its own item; later ones are one item a minute.',
  },
});
