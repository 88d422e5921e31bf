import { field, sortedQuerySchema, withProperties } from '@busbar/http';
import {
  nullableInteger,
  nullableString,
  nullableTimestampSchema,
  recordSchema,
  string,
  timestampSchema,
} from './values';

export const connectionQuerySchema = withProperties(sortedQuerySchema(['connectedAt'], 'newest first'), {
  from: field(timestampSchema, 'Connected at this timestamp or later.'),
  to: field(timestampSchema, 'Connected at this timestamp or earlier.'),
});

export const connectionSchema = recordSchema('Connection', 'A websocket of the charger.', {
  connectedAt: field(timestampSchema, 'When the websocket opened.'),
  disconnectedAt: field(
    nullableTimestampSchema,
    'When it ended. Null: it is open. Where its gateway was lost: when the service declared that.',
    '2026-01-31T18:20:00.000Z',
  ),
  gatewayId: field(
    string,
    "The process that had the websocket, as in the service's log.",
    '01JAX5Z3TZ9B1D3F5H7K9M1N3P',
  ),
  remoteAddress: field(
    nullableString,
    'Address of the charger; behind a proxy the forwarded one. Null: unknown.',
    '192.0.2.17',
  ),
  ocppVersion: field(string, 'The version in use, such as `ocpp1.6`.', 'ocpp1.6'),
  securityProfile: field(
    { ...nullableInteger, minimum: 0, maximum: 3 },
    'What the connection proved: 3 a client certificate of this charger, 2 a password over TLS, 1 a password without TLS, ' +
      '0 neither. Null: not known.',
    2,
  ),
  closeCode: field(
    { ...nullableInteger, minimum: 1000, maximum: 4999 },
    'The code of the websocket close (RFC 6455 clause 7.4); 1005 for a close without a code, 1006 for a loss without a ' +
      'close. Null: the connection is open, or no gateway reported the end.',
    1006,
  ),
  closeReason: field(nullableString, 'Why the connection ended, in words. Null: it is open.', 'no message for 90 s'),
});
