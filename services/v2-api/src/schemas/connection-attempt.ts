import { chargerIdSchema } from '@busbar/api';
import { REJECTION_REASONS } from '@busbar/domain/chargers';
import { field, sortedQuerySchema, withProperties } from '@busbar/http';
import { common, nullableString, recordSchema, string, timestampSchema } from './values';

export const connectionAttemptQuerySchema = withProperties(sortedQuerySchema(['at'], 'newest first'), {
  chargerId: field(chargerIdSchema, 'Attempts with the id of this charger.'),
  from: field(timestampSchema, 'Rejected at this timestamp or later.'),
  to: field(timestampSchema, 'Rejected at this timestamp or earlier.'),
});

export const connectionAttemptSchema = recordSchema('ConnectionAttempt', 'A rejected connection attempt, or several.', {
  at: field(timestampSchema, 'When the attempt was rejected; the last one of several.'),
  chargerId: common.chargerId,
  remoteAddress: field(
    nullableString,
    'Address of the charger; behind a proxy the forwarded one. Null: unknown.',
    '192.0.2.17',
  ),
  reason: field(
    string,
    'Why, and what to do:\n\n' +
      Object.entries(REJECTION_REASONS)
        .map(([reason, meaning]) => `- \`${reason}\`: ${meaning}`)
        .join('\n'),
    'unauthorized',
  ),
  protocols: field({ type: 'array', items: string }, 'The subprotocols that the charger offered.', ['ocpp1.6']),
  requestId: field(string, 'The id in the response, which the gateway also logs.', '01JAX5Z3V0H5K8N2P4S6T8VWXY'),
  count: field(
    { type: 'integer', minimum: 1 },
    'Number of attempts. The first attempt with a reason is its own item; later ones are one item a minute.',
    1,
  ),
});
