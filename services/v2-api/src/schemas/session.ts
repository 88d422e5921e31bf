import { chargerIdSchema, commandIdSchema, siteIdSchema, transactionIdSchema } from '@busbar/api';
import { AUTHORIZATION_SOURCES, SESSION_SORT_KEYS, SESSION_STATES } from '@busbar/domain/sessions';
import { MAX_ID_TAG, TAG_REFUSALS } from '@busbar/domain/tags';
import { cursorQuerySchema, field, sortedQuerySchema, withProperties } from '@busbar/http';
import { EXAMPLES_16 } from '@busbar/ocpp';
import {
  boolean,
  common,
  integer,
  nullableInteger,
  nullableNumber,
  nullableString,
  nullableTimestampSchema,
  OWN_COMMAS,
  paramsSchema,
  recordSchema,
  string,
  timestampSchema,
} from './values';

const AUTHORIZATION_STATUSES = ['accepted', 'refused'] as const;

// A query is part of the request line: the longest one with every character percent-encoded fits the listener's limit.
const MAX_NAMED: number = 100;
const MAX_TAGS: number = 25;

export const sessionQuerySchema = withProperties(
  cursorQuerySchema(SESSION_SORT_KEYS, 'startTime, newest first', 'a transaction id, a chargerId or an RFID tag'),
  {
    startTime: field(timestampSchema, 'Began at this timestamp or later.'),
    startTimeSearchEnd: field(timestampSchema, 'Began at this timestamp or earlier.'),
    stopTimeSearchBegin: field(timestampSchema, 'Ended at this timestamp or later.'),
    stopTime: field(timestampSchema, 'Ended at this timestamp or earlier.'),
    chargerIds: field(
      { type: 'array', items: chargerIdSchema, maxItems: MAX_NAMED },
      'Sessions of these chargers. Repeat it, or separate values by commas.',
    ),
    siteIds: field(
      { type: 'array', items: siteIdSchema, maxItems: MAX_NAMED },
      "The charger's site when the session began. Repeat it, or separate values by commas.",
    ),
    rfidTags: field(
      { type: 'array', items: { type: 'string', minLength: 1, maxLength: MAX_ID_TAG }, maxItems: MAX_TAGS },
      `Compared without case. ${OWN_COMMAS}`,
    ),
    commandId: field(commandIdSchema, 'The session that this command started.'),
    state: field({ type: 'string', enum: SESSION_STATES }, 'Sessions in this state.'),
    authorization: field(
      { type: 'string', enum: AUTHORIZATION_STATUSES },
      [
        'Whether the tag was accepted when the session began.',
        'A session stored without this field counts as accepted.',
      ].join(' '),
    ),
  },
);

const authorizationSchema = recordSchema(
  'SessionAuthorization',
  'Whether the tag was accepted when the session began.',
  {
    status: field({ type: 'string', enum: AUTHORIZATION_STATUSES }, 'Whether the tag was accepted.'),
    reason: field(
      { type: ['string', 'null'], enum: [...TAG_REFUSALS, null] },
      'The reason for the refusal. Null: accepted.',
      null,
    ),
    source: field(
      { type: 'string', enum: AUTHORIZATION_SOURCES },
      [
        "`own`: the client's tags. `open`: the client accepts unknown tags.",
        '`remote_start`: a remote start. `endpoint`: the endpoint for real-time authorization.',
        '`fallback`: its `onFailure`. More values may be added.',
      ].join(' '),
      'remote_start',
    ),
  },
);

export const sessionSchema = recordSchema('Session', 'The session.', {
  transactionId: common.transactionId,
  chargerId: common.chargerId,
  socketId: common.socketId,
  rfidTag: common.rfidTag,
  startTime: field(timestampSchema, 'When it began.'),
  endTime: field(nullableTimestampSchema, 'When it ended. Null: it has not.', '2026-01-31T13:30:00.000Z'),
  meterStart: field(nullableNumber, 'Meter reading at the start in Wh. Null: not reported, or not yet.', 120_500),
  meterStop: field(nullableNumber, 'Meter reading at the end in Wh. Null: not reported.', 138_900),
  consumptionWh: field(nullableNumber, 'Consumed energy in Wh. Null: not known yet.', 18_400),
  stopReason: field(
    nullableString,
    'Why it ended: the reason of OCPP, or that of `POST /v2/sessions/{transactionId}/end`. Null: it has not, or unknown.',
    'EVDisconnected',
  ),
  state: field(
    { type: 'string', enum: SESSION_STATES },
    [
      '`superseded`: another session began at the same socket before the charger reported a stop; a late stop still ends it.',
      'Also a session whose charger was deleted during it: it never gets an end.',
      '`refused`: the tag was refused and the charger did not charge. Statistics do not include it.',
      'A charger that charges despite the refusal makes it `ongoing`.',
    ].join(' '),
    'ended',
  ),
  endedBy: field(
    { type: ['string', 'null'], enum: ['charger', 'operator', null] },
    [
      '`charger`: the charger reported the stop. `operator`: this API or an administrator ended the session;',
      'a later stop of the charger then sets `meterStop` and `consumptionWh`. Null: it has not ended.',
    ].join(' '),
  ),
  authorization: authorizationSchema,
  startedOffline: field(boolean, 'The charger reported the start long after it happened.', false),
  startedBy: field(
    { type: ['string', 'null'], enum: ['remote', 'local', null] },
    '`remote`: a command started it. `local`: a driver at the charger did. Null: not known.',
  ),
  commandId: field(nullableString, 'The command that started it. Null: none.', commandIdSchema.examples[0]),
  stopCommandId: field(nullableString, 'The command that ended it. Null: none.', null),
  siteId: field(common.siteId, "The charger's site when the session began."),
  siteName: field(string, 'Name of that site. Empty when the site is deleted.', 'Harbour'),
  updatedAt: field(timestampSchema, 'The last change of the session. A change of `siteName` is none.'),
  deviceTransactionId: field(nullableString, "The charger's own id of the transaction. Null: OCPP 1.6.", 'a81f-17'),
  evseId: field(nullableInteger, 'Number of the EVSE in OCPP 2.x. Null: OCPP 1.6, or not reported yet.', 1),
  connectorId: field(
    nullableInteger,
    'Number of the connector of that EVSE. Null: OCPP 1.6, or not reported; `socketId` is then assumed.',
    1,
  ),
  idTokenType: field(nullableString, 'Type of the idToken in OCPP 2.x. Null: OCPP 1.6, or none yet.', 'ISO14443'),
  chargingState: field(nullableString, 'The last reported charging state in OCPP 2.x. Null: none.', 'Charging'),
  timeSpentChargingS: field(
    nullableInteger,
    'Seconds of charging, as an OCPP 2.x charger reports them. Null: none.',
    2_400,
  ),
  startKnown: field(
    { type: ['boolean', 'null'] },
    'False: the start has not been reported yet, and `startTime` is the earliest known time. Null: OCPP 1.6.',
    true,
  ),
  missingEvents: field(
    { type: ['array', 'null'], items: { type: 'integer' }, maxItems: 100 },
    'Sequence numbers of events between those that were received, at most 100. Null: OCPP 1.6.',
    [],
  ),
  chargingNeeds: field(
    { type: ['object', 'null'] },
    'What the vehicle needs: the last NotifyEVChargingNeeds of OCPP 2.x, as sent. Null: none, or more than 8,000 characters.',
    { evseId: 1, chargingNeeds: { requestedEnergyTransfer: 'DC' } },
  ),
  chargingSchedule: field(
    { type: ['object', 'null'] },
    'What the vehicle plans: the last NotifyEVChargingSchedule of OCPP 2.x, as sent. Null: none, or more than 8,000 characters.',
    null,
  ),
});

export const sessionParamsSchema = paramsSchema({ transactionId: transactionIdSchema });

export const meterValueQuerySchema = sortedQuerySchema(['receivedAt'], 'oldest first');

export const meterValueSchema = recordSchema('MeterValueMessage', 'A message with meter values.', {
  receivedAt: field(timestampSchema, 'When the service received it.', '2026-01-31T12:15:00.120Z'),
  socketId: field(nullableInteger, 'Number of the socket. Null: the message names none.', 1),
  message: field(
    { type: 'object', additionalProperties: true },
    "The message's OCPP payload exactly as the charger sent it, with its own units.",
    EXAMPLES_16.meterValues,
  ),
});

export const transactionEventQuerySchema = sortedQuerySchema(['seqNo'], 'lowest first');

export const transactionEventSchema = recordSchema('TransactionEvent', 'A TransactionEvent of OCPP 2.x.', {
  seqNo: field(integer, "The charger's number of the event.", 1),
  eventType: field(string, '`Started`, `Updated` or `Ended`.', 'Updated'),
  triggerReason: field(string, 'The cause of the event, as the charger named it.', 'ChargingStateChanged'),
  chargingState: field(nullableString, 'The charging state that it reported. Null: none.', 'Charging'),
  offline: field(boolean, 'The charger had no connection when it happened.', false),
  timestamp: field(timestampSchema, 'When it happened; an implausible time of the charger is replaced by the receipt.'),
});
