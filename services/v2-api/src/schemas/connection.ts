import { pageQuerySchema } from '@busbar/http';
import { nullableTimestampSchema, recordSchema, timestampSchema } from './values';

const { page, limit, sortKey, sortDescending } = pageQuerySchema(['connectedAt']).properties;

export const connectionQuerySchema = {
  type: 'object',
  properties: {
    page,
    limit,
    sortKey,
    sortDescending,
    from: { ...timestampSchema, description: 'Connected at this timestamp or later.' },
    to: { ...timestampSchema, description: 'Connected at this timestamp or earlier.' },
  },
  additionalProperties: false,
} as const;

export const connectionSchema = recordSchema('Connection', {
  connectedAt: { ...timestampSchema, description: 'When the websocket opened.' },
  disconnectedAt: {
    ...nullableTimestampSchema,
    description: 'When it ended; null while it is open. Where its gateway was lost: when the service declared that.',
  },
  gatewayId: { type: 'string', description: "The process that had the websocket, as in the service's log." },
  remoteAddress: {
    type: ['string', 'null'],
    description: 'Behind a proxy the forwarded address; null without one.',
  },
  ocppVersion: { type: 'string', description: 'The version in use, such as `ocpp1.6`.' },
  securityProfile: {
    type: ['integer', 'null'],
    minimum: 0,
    maximum: 3,
    description:
      'What the connection proved: 3 a client certificate of this charger, 2 a password over TLS, 1 a password without TLS, ' +
      '0 neither. Null where it is not known.',
  },
  closeCode: {
    type: ['integer', 'null'],
    minimum: 1000,
    maximum: 4999,
    description:
      'The code of the websocket close (RFC 6455 clause 7.4); 1005 for a close without a code, 1006 for a loss without a ' +
      'close. Null while the connection is open, and where no gateway reported the end.',
  },
  closeReason: {
    type: ['string', 'null'],
    description: 'Why the connection ended, in words. Null while it is open.',
  },
});
