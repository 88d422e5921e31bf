import { chargerIdSchema, commandIdSchema, siteIdSchema, transactionIdSchema } from '@busbar/api';
import { AUTHORIZATION_SOURCES, SESSION_SORT_KEYS, SESSION_STATES } from '@busbar/domain/sessions';
import { pageQuerySchema } from '@busbar/http';
import { timestampSchema, nullableTimestampSchema, OWN_COMMAS, recordSchema } from './values';

const AUTHORIZATION_STATUSES = ['accepted', 'refused'] as const;
const REFUSALS = ['unknown', 'blocked', 'expired', 'not_yet_valid', 'in_use'] as const;

// A query travels in the request line: the longest that is allowed, each character percent-encoded, fits the listener's limit.
const MAX_NAMED: number = 100;
const MAX_TAGS: number = 25;

const pageQuery = pageQuerySchema(SESSION_SORT_KEYS);

export const sessionQuerySchema = {
  ...pageQuery,
  properties: {
    ...pageQuery.properties,
    startTime: { ...timestampSchema, description: 'Begun at this timestamp or after it.' },
    startTimeSearchEnd: { ...timestampSchema, description: 'Begun at this timestamp or before it.' },
    stopTimeSearchBegin: { ...timestampSchema, description: 'Ended at this timestamp or after it.' },
    stopTime: { ...timestampSchema, description: 'Ended at this timestamp or before it.' },
    chargerIds: { type: 'array', items: chargerIdSchema, maxItems: MAX_NAMED },
    siteIds: {
      type: 'array',
      items: siteIdSchema,
      maxItems: MAX_NAMED,
      description: 'Where the charger stood when the session began.',
    },
    rfidTags: {
      type: 'array',
      items: { type: 'string', minLength: 1, maxLength: 36 },
      maxItems: MAX_TAGS,
      description: `Compared without case. ${OWN_COMMAS}`,
    },
    commandId: { ...commandIdSchema, description: 'The command that began it.' },
    state: { type: 'string', enum: SESSION_STATES },
    authorization: {
      type: 'string',
      enum: AUTHORIZATION_STATUSES,
      description: [
        'Whether the tag was accepted when the session began.',
        'A session from before this was stored counts as accepted.',
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
      '`superseded`: this one was never told to have ended, and another began at the same socket: a late stop still ends it.',
      'Or its charger was deleted while it was under way: then it stays so, without an end.',
      '`refused`: its tag was refused and the charger did not charge. Such a session counts in no statistics.',
      'A charger that charges despite the refusal makes it `ongoing`.',
    ].join(' '),
  },
  endedBy: {
    type: ['string', 'null'],
    enum: ['charger', 'operator', null],
    description: [
      '`charger`: it reported the stop. `operator`: the session was ended over this API or by an administrator;',
      '`meterStop` and `consumptionWh` are then those of a stop that the charger reports later.',
    ].join(' '),
  },
  authorization: recordSchema('SessionAuthorization', {
    status: { type: 'string', enum: AUTHORIZATION_STATUSES },
    reason: { type: ['string', 'null'], enum: [...REFUSALS, null], description: 'Why it was refused.' },
    source: {
      type: 'string',
      enum: AUTHORIZATION_SOURCES,
      description: [
        "`own`: the client's tags. `open`: the client lets unknown tags charge.",
        '`remote_start`: a remote start ordered it. More values may be added.',
      ].join(' '),
    },
  }),
  startedOffline: { type: 'boolean', description: 'The charger told of the start long after it happened.' },
  startedBy: {
    type: ['string', 'null'],
    enum: ['remote', 'local', null],
    description: '`remote`: a command began it.',
  },
  commandId: { type: ['string', 'null'], description: 'The command that began it.' },
  stopCommandId: { type: ['string', 'null'], description: 'The command that ended it.' },
  siteId: { type: 'integer' },
  siteName: { type: 'string', description: 'Empty when the site is deleted.' },
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
    description: "The message's payload exactly as the charger sent it: OCPP's own words.",
    additionalProperties: true,
  },
});
