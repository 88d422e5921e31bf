import { chargerIdSchema, nameSchema } from '@busbar/api';
import { MAX_CURSOR_CHARACTERS } from '@busbar/domain/feed';
import { WEBHOOK_TYPES } from '@busbar/domain/webhooks';
import { field, pageSchema } from '@busbar/http';
import {
  boolean,
  common,
  count,
  integer,
  nullableTimestampSchema,
  paramsSchema,
  recordSchema,
  string,
  timestampSchema,
} from './values';

const FORMATS = ['standard', 'push-v1', 'push-v2'] as const;
const ORDERINGS = ['charger', 'none'] as const;
// Typed wider than their values: the parser of types would list every combination.
const TYPES: readonly string[] = WEBHOOK_TYPES;
const MAX_CHARGERS: number = 100;
const MAX_SITES: number = 20;

const ID = 'wh_01jax5z3v1c4e6g8j0m2p4r6tv';
const URL_EXAMPLE = 'https://hooks.example.com/busbar';
const SECRET = 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=';

const nullable = <Type extends string>(type: Type) => [type, 'null'] as const;

const URL_TEXT =
  'The address that events are posted to: `https:`, port 443 or from 1024 to 65535, a public host, without user name, password or fragment.';
const FORMAT_TEXT =
  '`standard`: the event as in the feed, signed by Standard Webhooks. `push-v1`, `push-v2`: the documented push messages.';
const TYPES_TEXT = [
  'In the format `standard` types of events, families such as `session.*`, or `*`: all but the frequent `socket.state_reported` and `meter.values`,',
  'which are delivered where they are named. In push formats kinds of messages.',
].join(' ');
const ORDERING_TEXT =
  '`charger`: the events of one charger one after the other, in the order of their sequence. `none`: without waiting for each other.';
const AUTHORIZATION_TEXT = 'The header `authorization` of requests in push formats; stored encrypted, and never shown.';

const urlSchema = { type: 'string', minLength: 1, maxLength: 2_000, 'x-error-code': 'invalid_webhook_url' } as const;
const siteSchema = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER } as const;

const optional = {
  description: field(
    { type: nullable('string'), maxLength: nameSchema.maxLength },
    'A name for people. Null: none.',
    'Billing',
  ),
  format: field({ type: nullable('string'), enum: [...FORMATS, null] }, `${FORMAT_TEXT} Null: standard.`, 'standard'),
  types: field(
    { type: nullable('array'), items: { type: 'string', enum: TYPES }, minItems: 1, maxItems: TYPES.length },
    `${TYPES_TEXT} Null: \`*\`; in push formats all kinds.`,
    ['session.*'],
  ),
  siteIds: field(
    { type: nullable('array'), items: siteSchema, minItems: 1, maxItems: MAX_SITES },
    'Events at these sites of the client. Null: at any.',
    null,
  ),
  includeSubsites: field({ type: nullable('boolean') }, 'Also the sites below `siteIds`. Null: false.', false),
  chargerIds: field(
    { type: nullable('array'), items: chargerIdSchema, minItems: 1, maxItems: MAX_CHARGERS },
    'Events of these chargers. Null: of any.',
    null,
  ),
  ordering: field(
    { type: nullable('string'), enum: [...ORDERINGS, null] },
    `${ORDERING_TEXT} Null: charger.`,
    'charger',
  ),
  maxInFlight: field(
    { type: nullable('integer'), minimum: 1, maximum: 32 },
    'Requests to the receiver at the same time. Null: 8.',
    8,
  ),
  startAt: field(
    { type: nullable('string'), minLength: 1, maxLength: MAX_CURSOR_CHARACTERS },
    'Where deliveries begin: `now`, `oldest`, or a cursor of the feed. Null: now for a new webhook; a change without it continues where it was.',
    'now',
  ),
  authorization: field(
    { type: nullable('string'), pattern: '^[!-~](?:[ -~]{0,998}[!-~])?$' },
    `${AUTHORIZATION_TEXT} Null: none.`,
    null,
  ),
  enabled: field(
    { type: nullable('boolean') },
    'False: nothing is sent, and events wait in the feed. Null: true.',
    true,
  ),
} as const;

export const webhookInputSchema = {
  ...recordSchema(
    'WebhookInput',
    'A webhook to create. Null is the same as absent.',
    { url: field(urlSchema, URL_TEXT, URL_EXAMPLE) },
    optional,
  ),
  examples: [{ url: URL_EXAMPLE, description: 'Billing', types: ['session.*'] }],
} as const;

export const webhookChangeSchema = {
  title: 'WebhookChange',
  description: 'Changes of a webhook. Absent fields keep their value. Null gives the default.',
  type: 'object',
  properties: { url: field(urlSchema, URL_TEXT, URL_EXAMPLE), ...optional },
  additionalProperties: false,
  examples: [{ description: 'Billing, production', maxInFlight: 16 }],
} as const;

const webhookIdSchema = {
  type: 'string',
  minLength: 1,
  maxLength: 100,
  description: 'Id of the webhook.',
  examples: [ID],
} as const;

export const webhookParamsSchema = paramsSchema({ webhookId: webhookIdSchema });

const gapSchema = {
  title: 'WebhookGap',
  description: 'Events of this time were deleted by age, or lost by a restore, before they were delivered.',
  type: 'object',
  properties: {
    from: field(timestampSchema, 'The last event before the gap.'),
    to: field(timestampSchema, 'The first event after it.'),
  },
  required: ['from', 'to'],
  additionalProperties: false,
} as const;

const shown = {
  id: field(string, 'Id of the webhook.', ID),
  url: field(string, 'The address that events are posted to.', URL_EXAMPLE),
  description: field(string, 'A name for people. Empty: none.', 'Billing'),
  format: field({ type: 'string', enum: FORMATS }, FORMAT_TEXT, 'standard'),
  types: field({ type: 'array', items: string }, TYPES_TEXT, ['session.*']),
  siteIds: field({ type: nullable('array'), items: integer }, 'Events at these sites. Null: at any.', null),
  includeSubsites: field(boolean, 'Also the sites below `siteIds`.', false),
  chargerIds: field({ type: nullable('array'), items: string }, 'Events of these chargers. Null: of any.', null),
  ordering: field({ type: 'string', enum: ORDERINGS }, ORDERING_TEXT, 'charger'),
  maxInFlight: field(integer, 'Requests to the receiver at the same time.', 8),
  enabled: field(boolean, 'Whether its owner wants deliveries.', true),
  status: field(
    { type: 'string', enum: ['active', 'failing', 'disabled'] },
    '`failing`: its receiver does not work, and one event is tried from time to time. `disabled`: nothing is sent.',
    'active',
  ),
  statusReason: field(
    { type: nullable('string'), enum: ['owner', 'gone', 'no_success_72h', null] },
    'Why it is disabled. `owner`: by a request. `gone`: its receiver responded 410. `no_success_72h`: it failed for three days. Null: it is not.',
    null,
  ),
  failingSince: field(
    nullableTimestampSchema,
    'The first of its failures in a row. Null: the last request did not fail.',
    null,
  ),
  nextAttemptAt: field(
    nullableTimestampSchema,
    'While it is `failing`: when the next event is tried. While it is `active`: when the first of the events that were refused is tried again. Null: there is none, or the time is not known yet.',
    null,
  ),
  lastDeliveryAt: field(nullableTimestampSchema, 'The last attempt. Null: none yet.', '2026-01-31T12:00:01.000Z'),
  lastSuccessAt: field(nullableTimestampSchema, 'The last success. Null: none yet.', '2026-01-31T12:00:01.000Z'),
  waiting: field(
    count,
    'Events in the feed that it is to get and has not yet: counted up to 10,000, in at most 200 pages of the feed for a response. Push formats may leave some of them out.',
    0,
  ),
  oldestWaitingAt: field(
    nullableTimestampSchema,
    'When the oldest event of `waiting` happened: a replay from here sends all of them. Null: none waits, or more than are counted.',
    null,
  ),
  parked: field(count, 'Events that were parked after their last attempt.', 0),
  gap: {
    ...gapSchema,
    type: ['object', 'null'],
    description: `${gapSchema.description} Null: none.`,
    examples: [{ from: '2026-01-20T08:00:00.000Z', to: '2026-01-21T08:00:00.000Z' }],
  },
  createdAt: common.createdAt,
  updatedAt: field(timestampSchema, 'The last change by its owner.'),
} as const;

export const webhookSchema = recordSchema('Webhook', 'A webhook without its secrets.', shown);

export const webhookSecretField = field(
  string,
  'The signing secret (Standard Webhooks). Only this response shows it; it is stored encrypted.',
  SECRET,
);

export const newWebhookSchema = recordSchema('NewWebhook', 'The new webhook with its signing secret.', {
  ...shown,
  secret: webhookSecretField,
});

export const webhookListSchema = pageSchema('WebhookPage', webhookSchema);

export const deletedWebhookSchema = recordSchema('DeletedWebhook', 'The id of the deleted webhook.', { id: shown.id });
