import { INPUT_LIMITS } from '@busbar/domain';
import { MAX_ID_TAG } from '@busbar/domain/tags';
import { chargerIdSchema } from '@busbar/api';
import { field } from '@busbar/http';
import { common, groupIdSchema, integer, number, recordSchema, string, timestampSchema } from './values';

export const transactionSearchSchema = {
  title: 'TransactionSearch',
  type: 'object',
  description: 'Criteria, of which at least one is a time. Unknown fields are ignored.',
  properties: {
    startTime: field(timestampSchema, 'Began at this timestamp or later.'),
    startTimeSearchEnd: field(timestampSchema, 'Began at this timestamp or earlier.'),
    stopTimeSearchBegin: field(timestampSchema, 'Ended at this timestamp or later.'),
    stopTime: field(timestampSchema, 'Ended at this timestamp or earlier.'),
    chargerIDs: field(
      { type: 'array', items: chargerIdSchema, maxItems: INPUT_LIMITS.items },
      'Transactions of these chargers. Empty: all.',
    ),
    groupIDs: field(
      { type: 'array', items: groupIdSchema, maxItems: INPUT_LIMITS.items },
      "The charger's group when the transaction began. Empty: all.",
    ),
    rfidTags: field(
      { type: 'array', items: { type: 'string', minLength: 1, maxLength: MAX_ID_TAG }, maxItems: INPUT_LIMITS.items },
      'Compared without case. Empty: all.',
    ),
  },
  examples: [{ startTime: '2026-01-01T00:00:00.000Z', chargerIDs: ['ACME_1'] }],
} as const;

const ABSENT = 'Absent before the transaction has ended.';

export const transactionSchema = recordSchema(
  'Transaction',
  'A transaction: a session of the v2 API.',
  {
    transactionId: field(integer, 'The id that the service gave to the OCPP transaction.', 1),
    chargerId: common.chargerId,
    socketId: field(integer, 'Number of the socket (OCPP connector), from 1. 0: OCPP 2.x, none reported yet.', 1),
    rfidTag: field(string, 'RFID tag, as the charger sent it.', '04E91C5A123B80'),
    startTimeUTC: field(string, 'When it began: RFC 3339 in UTC.', '2026-01-31T12:00:00.000Z'),
    endTimeUTC: field(
      string,
      [
        'When it ended: RFC 3339 in UTC. Empty before the transaction has ended. It remains empty if the charger never reports',
        'the end, or is deleted during the transaction.',
      ].join(' '),
      '2026-01-31T13:30:00.000Z',
    ),
    meterStart: field(number, 'Meter reading at the start in Wh.', 120_500),
    stopReason: field(string, 'Reason of OCPP for the end. Empty before the transaction has ended.', 'EVDisconnected'),
    groupId: field(integer, "The charger's group when the transaction began.", 1),
    groupName: field(string, 'Name of that group. Empty when the group is deleted.', 'Harbour'),
  },
  {
    meterStop: field(number, `Meter reading at the end in Wh. ${ABSENT}`, 138_900),
    consumptionWH: field(number, `Consumed energy in Wh. ${ABSENT}`, 18_400),
    consumptionKWH: field(number, `Consumed energy in kWh. ${ABSENT}`, 18.4),
    transactionLengthMinutes: field(number, `Duration in minutes. ${ABSENT}`, 90),
  },
);
