import { INPUT_LIMITS } from '@busbar/domain';
import { chargerIdSchema } from '@busbar/api';
import { groupIdSchema } from './values';

const timestampSchema = { type: 'string', format: 'date-time' } as const;

export const transactionSearchSchema = {
  title: 'TransactionSearch',
  type: 'object',
  properties: {
    startTime: { ...timestampSchema, description: 'Began at this timestamp or later.' },
    startTimeSearchEnd: { ...timestampSchema, description: 'Began at this timestamp or earlier.' },
    stopTimeSearchBegin: { ...timestampSchema, description: 'Ended at this timestamp or later.' },
    stopTime: { ...timestampSchema, description: 'Ended at this timestamp or earlier.' },
    chargerIDs: { type: 'array', items: chargerIdSchema, maxItems: INPUT_LIMITS.items, description: 'Empty: all.' },
    groupIDs: {
      type: 'array',
      items: groupIdSchema,
      maxItems: INPUT_LIMITS.items,
      description: "The charger's group when the transaction began. Empty: all.",
    },
    rfidTags: {
      type: 'array',
      items: { type: 'string', minLength: 1, maxLength: 255 },
      maxItems: INPUT_LIMITS.items,
      description: 'Compared without case. Empty: all.',
    },
  },
} as const;

const whenEnded = { description: 'Absent before the transaction has ended.' } as const;

export const transactionSchema = {
  title: 'Transaction',
  type: 'object',
  properties: {
    transactionId: { type: 'integer' },
    chargerId: { type: 'string' },
    socketId: { type: 'integer' },
    rfidTag: { type: 'string' },
    startTimeUTC: { type: 'string' },
    endTimeUTC: {
      type: 'string',
      description: [
        'Empty before the transaction has ended. It remains empty if the charger never reports the end, or is deleted during the',
        'transaction.',
      ].join(' '),
    },
    meterStart: { type: 'number', description: 'Wh' },
    meterStop: { type: 'number', ...whenEnded },
    consumptionWH: { type: 'number', ...whenEnded },
    consumptionKWH: { type: 'number', ...whenEnded },
    transactionLengthMinutes: { type: 'number', ...whenEnded },
    stopReason: { type: 'string', description: 'Empty before the transaction has ended.' },
    groupId: { type: 'integer' },
    groupName: { type: 'string', description: 'Empty when the group is deleted.' },
  },
  required: [
    'transactionId',
    'chargerId',
    'socketId',
    'rfidTag',
    'startTimeUTC',
    'endTimeUTC',
    'meterStart',
    'stopReason',
    'groupId',
    'groupName',
  ],
  additionalProperties: false,
} as const;
