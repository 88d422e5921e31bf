import { chargerIdSchema, commandIdSchema, siteIdSchema, transactionIdSchema } from '@busbar/api';
import { AUTHORIZATION_SOURCES, SESSION_SORT_KEYS, SESSION_STATES } from '@busbar/domain/sessions';
import { cursorQuerySchema } from '@busbar/http';
import { timestampSchema, nullableTimestampSchema, OWN_COMMAS, recordSchema } from './values';

const AUTHORIZATION_STATUSES = ['accepted', 'refused'] as const;
const REFUSALS = ['unknown', 'blocked', 'expired', 'not_yet_valid', 'in_use'] as const;

// A query is part of the request line: the longest one with every character percent-encoded fits the listener's limit.
const MAX_NAMED: number = 100;
const MAX_TAGS: number = 25;

const pageQuery = cursorQuerySchema(SESSION_SORT_KEYS);

export const sessionQuerySchema = {
  ...pageQuery,
  properties: {
    ...pageQuery.properties,
    startTime: { ...timestampSchema, description: 'Began at this timestamp or later.' },
    startTimeSearchEnd: { ...timestampSchema, description: 'Began at this timestamp or earlier.' },
    stopTimeSearchBegin: { ...timestampSchema, description: 'Ended at this timestamp or later.' },
    stopTime: { ...timestampSchema, description: 'Ended at this timestamp or earlier.' },
    chargerIds: { type: 'array', items: chargerIdSchema, maxItems: MAX_NAMED },
    siteIds: {
      type: 'array',
      items: siteIdSchema,
      maxItems: MAX_NAMED,
      description: "The charger's site when the session began.",
    },
    rfidTags: {
      type: 'array',
      items: { type: 'string', minLength: 1, maxLength: 36 },
      maxItems: MAX_TAGS,
      description: `Compared without case. ${OWN_COMMAS}`,
    },
    commandId: { ...commandIdSchema, description: 'The command that started it.' },
    state: { type: 'string', enum: SESSION_STATES },
    authorization: {
      type: 'string',
      enum: AUTHORIZATION_STATUSES,
      description: [
        'Whether the tag was accepted when the session began.',
        'A session stored without this field counts as accepted.',
      ].join(' '),
    },
  },
} as const;

export const sessionSchema = recordSchema('Session', {
  transactionId: { type: 'integer' },
  chargerId: { type: 'string' },
  socketId: { type: 'integer' },
  rfidTag: { type: 'string', description: 'As the charger sent it.' },
  startTime: timestampSchema,
  endTime: nullableTimestampSchema,
  meterStart: { type: 'number', description: 'Wh' },
  meterStop: { type: ['number', 'null'], description: 'Wh' },
  consumptionWh: { type: ['number', 'null'] },
  stopReason: { type: ['string', 'null'] },
  state: {
    type: 'string',
    enum: SESSION_STATES,
    description: [
      '`superseded`: another session began at the same socket before the charger reported a stop; a late stop still ends it.',
      'Also a session whose charger was deleted during it: it never gets an end.',
      '`refused`: the tag was refused and the charger did not charge. Statistics do not include it.',
      'A charger that charges despite the refusal makes it `ongoing`.',
    ].join(' '),
  },
  endedBy: {
    type: ['string', 'null'],
    enum: ['charger', 'operator', null],
    description: [
      '`charger`: the charger reported the stop. `operator`: this API or an administrator ended the session;',
      'a later stop of the charger then sets `meterStop` and `consumptionWh`.',
    ].join(' '),
  },
  authorization: recordSchema('SessionAuthorization', {
    status: { type: 'string', enum: AUTHORIZATION_STATUSES },
    reason: { type: ['string', 'null'], enum: [...REFUSALS, null], description: 'The reason for the refusal.' },
    source: {
      type: 'string',
      enum: AUTHORIZATION_SOURCES,
      description: [
        "`own`: the client's tags. `open`: the client accepts unknown tags.",
        '`remote_start`: a remote start. More values may be added.',
      ].join(' '),
    },
  }),
  startedOffline: { type: 'boolean', description: 'The charger reported the start long after it happened.' },
  startedBy: {
    type: ['string', 'null'],
    enum: ['remote', 'local', null],
    description: '`remote`: a command started it.',
  },
  commandId: { type: ['string', 'null'], description: 'The command that started it.' },
  stopCommandId: { type: ['string', 'null'], description: 'The command that ended it.' },
  siteId: { type: 'integer' },
  siteName: { type: 'string', description: 'Empty when the site is deleted.' },
  updatedAt: { ...timestampSchema, description: 'The last change of the session. A change of `siteName` is none.' },
});

export const sessionParamsSchema = {
  type: 'object',
  properties: { transactionId: transactionIdSchema },
  required: ['transactionId'],
  additionalProperties: false,
} as const;

export const meterValueSchema = recordSchema('MeterValueMessage', {
  receivedAt: timestampSchema,
  socketId: { type: ['integer', 'null'] },
  message: {
    type: 'object',
    description: "The message's OCPP payload exactly as the charger sent it.",
    additionalProperties: true,
  },
});
