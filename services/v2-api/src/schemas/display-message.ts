// Messages on the display of a charger of OCPP 2.x, in OCPP's own field names.
import { transactionIdSchema } from '@busbar/api';
import { field, pageQuerySchema, pageSchemaWith, withProperties } from '@busbar/http';
import { MESSAGE_FORMATS, MESSAGE_PRIORITIES, MESSAGE_STATES } from '@busbar/ocpp';
import {
  boolean,
  integer,
  nullableInteger,
  nullableString,
  nullableTimestampSchema,
  recordSchema,
  string,
  timestampSchema,
} from './values';
import { partSchema, placeSchema } from './variable';

/** What OCPP 2.1 carries; 2.0.1 512. */
const MAX_CONTENT = 1_024;
const MAX_LANGUAGE = 8;
const MAX_EXTRA = 4;
const MAX_FILTER_IDS = 100;

export const messageIdSchema = {
  type: 'integer',
  minimum: 0,
  maximum: 2_147_483_647,
  description: 'Number of the message.',
  examples: [7],
} as const;

const prioritySchema = { type: 'string', enum: MESSAGE_PRIORITIES } as const;
const stateSchema = { type: 'string', enum: MESSAGE_STATES } as const;

const contentSchema = recordSchema(
  'MessageContent',
  'A text.',
  {
    format: field({ type: 'string', enum: MESSAGE_FORMATS }, 'Its format; `QRCODE` is of OCPP 2.1.', 'UTF8'),
    content: field(
      { type: 'string', minLength: 1, maxLength: MAX_CONTENT },
      'The text; for OCPP 2.0.1 of at most 512 characters.',
      'Welcome',
    ),
  },
  { language: field({ type: 'string', minLength: 1, maxLength: MAX_LANGUAGE }, 'Its language (RFC 5646).', 'en') },
);

const displaySchema = recordSchema(
  'MessageDisplay',
  'The component of the charger that shows it.',
  { name: field(partSchema, 'The component.', 'Display') },
  {
    instance: field(partSchema, 'Instance of the component. Default: none.', 'main'),
    evse: recordSchema(
      'MessageDisplayPlace',
      'Its place. Default: the charging station.',
      { id: field(placeSchema, 'EVSE.', 1) },
      { connectorId: field(placeSchema, 'Connector. Default: the EVSE.', 1) },
    ),
  },
);

export const displayMessageBodySchema = {
  ...recordSchema(
    'DisplayMessageInput',
    'The message.',
    {
      priority: field(
        prioritySchema,
        '`AlwaysFront`: shown always, until a newer one with it comes; `InFront`: before the normal cycle; `NormalCycle`.',
        'NormalCycle',
      ),
      message: contentSchema,
    },
    {
      id: { ...messageIdSchema, description: 'The message to replace. Default: a new one.' },
      state: field(
        stateSchema,
        'Only in this state of the charger; `Suspended` and `Discharging` are of OCPP 2.1. Default: in any.',
        'Idle',
      ),
      startDateTime: field(timestampSchema, 'When it is shown first. Default: now.'),
      endDateTime: field(timestampSchema, 'When the charger removes it. Default: never.'),
      transactionId: {
        ...transactionIdSchema,
        description: 'The session with which the charger removes it. Default: none.',
      },
      display: displaySchema,
      messageExtra: field(
        { type: 'array', minItems: 1, maxItems: MAX_EXTRA, items: contentSchema },
        'The same in other languages (OCPP 2.1).',
        [{ format: 'UTF8', language: 'de', content: 'Willkommen' }],
      ),
    },
  ),
  examples: [{ priority: 'NormalCycle', message: { format: 'UTF8', language: 'en', content: 'Welcome' } }],
} as const;

export const displayMessageQuerySchema = withProperties(
  pageQuerySchema(['setAt', 'id'], 'oldest first', 'a part of the text'),
  {
    id: {
      type: 'array',
      maxItems: MAX_FILTER_IDS,
      items: messageIdSchema,
      description: 'Only messages of these numbers. Repeat it. Default: all.',
    },
    priority: field(prioritySchema, 'Only messages of this priority.'),
    state: field(stateSchema, 'Only messages for this state of the charger.'),
    refresh: field(boolean, 'Requests the messages from the charger now. Default false.'),
  },
);

const shownContentSchema = recordSchema('ShownMessageContent', 'A text.', {
  format: field(string, 'Its format, as OCPP names it.', 'UTF8'),
  language: field(nullableString, 'Its language. Null: not given.', 'en'),
  content: field(string, 'The text.', 'Welcome'),
});

const displayMessageSchema = recordSchema('DisplayMessage', 'A message on the display of the charger.', {
  id: field(integer, 'Number of the message.', 7),
  priority: field(string, 'Its priority, as OCPP names it.', 'NormalCycle'),
  state: field(nullableString, 'The state of the charger in which it is shown. Null: any.', 'Idle'),
  startDateTime: field(nullableTimestampSchema, 'When it is shown first. Null: not given.'),
  endDateTime: field(nullableTimestampSchema, 'When the charger removes it. Null: never.'),
  transactionId: field(nullableInteger, 'The session with which the charger removes it. Null: none.', null),
  display: field(
    { type: ['object', 'null'], additionalProperties: true },
    'The component that shows it, as OCPP names it. Null: the main display.',
    null,
  ),
  message: shownContentSchema,
  messageExtra: field({ type: 'array', items: shownContentSchema }, 'The same in other languages.', []),
  setAt: field(timestampSchema, 'When the charger accepted or reported it last.'),
  commandId: field(
    nullableString,
    'The command that set it. Null: none of this service.',
    '01JAX5Z3V8Q2M7R4T6W9Y0BCDE',
  ),
});

export const displayMessagePageSchema = {
  ...pageSchemaWith('DisplayMessagePage', displayMessageSchema, {
    listedAt: field(nullableTimestampSchema, 'When the charger reported all of them last. Null: it has not yet.'),
    status: field(
      nullableString,
      "The charger's status; `Unknown`: it has none of these. Null: without `refresh=true`.",
      'Accepted',
    ),
    commandId: field(nullableString, 'The id of the stored command. Null: none was sent.', null),
  }),
  description: 'The display messages that the charger has, paged.',
} as const;
