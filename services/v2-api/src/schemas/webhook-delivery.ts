// What can be done with a webhook, and what became of its deliveries.
import { chargerIdSchema } from '@busbar/api';
import { MAX_CURSOR_CHARACTERS } from '@busbar/domain/feed';
import { field, pageSchema, sortedQuerySchema, withProperties } from '@busbar/http';
import {
  count,
  integer,
  nullableInteger,
  nullableString,
  nullableTimestampSchema,
  recordSchema,
  string,
  timestampSchema,
} from './values';
import { webhookSecretField } from './webhook';

const OUTCOMES = ['delivered', 'refused', 'failed'] as const;
// Typed wider than its value: the parser of types would list every length.
const MAX_EVENT_IDS: number = 100;
const MAX_EVENT_ID = 100;
const MAX_GRACE_S = 604_800;
const EVENT_ID = 'evt_01JAX5Z3TZ9B1D3F5H7K9M1N3P_42';

export const rotateSecretSchema = {
  ...recordSchema(
    'WebhookSecretInput',
    'How long the secret of before signs too.',
    {},
    {
      graceS: field(
        { type: 'integer', minimum: 0, maximum: MAX_GRACE_S },
        'Seconds for which the secret of before signs too. 0: not at all. Default 86,400.',
        86_400,
      ),
    },
  ),
  examples: [{ graceS: 86_400 }],
} as const;

export const webhookSecretSchema = recordSchema('WebhookSecret', 'The new signing secret.', {
  secret: webhookSecretField,
});

export const testWebhookSchema = { ...recordSchema('WebhookTestInput', 'Nothing.', {}), examples: [{}] } as const;

const outcomeSchema = field(
  { type: 'string', enum: OUTCOMES },
  '`refused`: the receiver refused this event. `failed`: the receiver did not work, whatever the event.',
  'delivered',
);

const attempted = {
  outcome: outcomeSchema,
  httpStatus: field(nullableInteger, 'The status of the response. Null: there was none.', 204),
  tookMs: field(count, 'Milliseconds until the response.', 38),
  responseBody: field(string, 'The first 1,000 characters of the response.', ''),
  error: field(
    nullableString,
    'Why it was not delivered: `timeout dns refused reset tls address_refused redirect too_large`, or `http_` and the status. Null: it was delivered.',
    null,
  ),
};

export const webhookTestSchema = recordSchema('WebhookTest', 'The outcome of the request.', attempted);

export const redeliverSchema = {
  ...recordSchema('RedeliverInput', 'The events to send again.', {
    eventIds: field(
      {
        type: 'array',
        items: { type: 'string', minLength: 1, maxLength: MAX_EVENT_ID },
        minItems: 1,
        maxItems: MAX_EVENT_IDS,
      },
      'Ids of events of the feed, or of parked ones.',
      [EVENT_ID],
    ),
  }),
  examples: [{ eventIds: [EVENT_ID] }],
} as const;

export const redeliveredSchema = recordSchema('Redelivered', 'How many events are sent again.', {
  accepted: field(count, 'Events that are sent again; the others are unknown, or were deleted by age.', 1),
});

export const replaySchema = {
  ...recordSchema(
    'ReplayInput',
    'The part of the feed to deliver again.',
    {
      after: field(
        { type: 'string', minLength: 1, maxLength: MAX_CURSOR_CHARACTERS },
        'A cursor of the feed, or a timestamp (RFC 3339): some events before it may be sent too.',
        '2026-01-31T12:00:00.000Z',
      ),
    },
    { to: field(timestampSchema, 'Events after it that were delivered are not sent again. Absent: all are.') },
  ),
  examples: [{ after: '2026-01-31T12:00:00.000Z' }],
} as const;

export const replayedSchema = recordSchema('Replayed', 'Where deliveries begin again.', {
  from: field(string, 'The cursor of the feed.', 'AYDdPqcN1N1ZAgAAAAA'),
});

const eventFields = {
  eventId: field(string, 'Id of the event.', EVENT_ID),
  eventType: field(string, 'Type of the event.', 'session.started'),
  chargerId: field(nullableString, 'Id of the charger. Null: the event belongs to none.', 'ACME_1'),
};

export const deliveryQuerySchema = withProperties(sortedQuerySchema(['at'], 'newest first'), {
  outcome: field({ type: 'string', enum: OUTCOMES }, 'Attempts with this outcome.'),
  eventId: field({ type: 'string', minLength: 1, maxLength: MAX_EVENT_ID }, 'Attempts of this event.'),
  chargerId: field(chargerIdSchema, 'Attempts of events of this charger.'),
  from: field(timestampSchema, 'Attempts at this timestamp or later.'),
  to: field(timestampSchema, 'Attempts at this timestamp or earlier.'),
});

const deliveryRequestSchema = recordSchema(
  'DeliveryRequest',
  'What was sent; of an event with several push messages the last of them. The authorization header is not shown.',
  {
    url: field(string, 'The address at the time of the attempt.', 'https://example.com/events'),
    headers: field({ type: 'object', additionalProperties: string }, 'Those that identify and sign the request.', {
      'webhook-id': EVENT_ID,
      'webhook-timestamp': '1769860800',
      'webhook-signature': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
    }),
    body: field(nullableString, 'Of a test alone. Null: the event with the id, or a push message made from it.', null),
  },
);

export const deliveryPageSchema = pageSchema(
  'DeliveryPage',
  recordSchema('Delivery', 'An attempt to deliver an event.', {
    id: field(string, 'Id of the attempt.', '01JAX5Z3V8Q2M7R4T6W9Y0BCDE'),
    ...eventFields,
    attempt: field(integer, 'The number of the attempt for this event, from 1.', 1),
    at: field(timestampSchema, 'When it began.'),
    ...attempted,
    nextAttemptAt: field(
      nullableTimestampSchema,
      'When the event is tried again. Null: it is not, or when the webhook works again.',
      null,
    ),
    request: field(
      { anyOf: [deliveryRequestSchema, { type: 'null' }] },
      'What was sent. Null: the attempt was stored before this was kept.',
    ),
  }),
);

export const parkedQuerySchema = sortedQuerySchema(['parkedAt'], 'newest first');

export const parkedPageSchema = pageSchema(
  'ParkedEventPage',
  recordSchema('ParkedEvent', 'An event that was parked: refused for the last time.', {
    ...eventFields,
    attempts: field(integer, 'How often it was tried.', 6),
    lastError: field(string, 'The error of the last attempt.', 'http_500'),
    parkedAt: field(timestampSchema, 'When it was parked.'),
  }),
);
