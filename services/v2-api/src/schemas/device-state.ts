// Device state that commands installed in a charger, and its file transfers.
import { pageQuerySchema, pageSchema } from '@busbar/http';
import { timestampSchema, nullableTimestampSchema, recordSchema } from './values';

const nullableInteger = { type: ['integer', 'null'] } as const;
const nullableString = { type: ['string', 'null'] } as const;
const commandIdSchema = { ...nullableString, description: 'The command that caused it.' } as const;
const requestIdSchema = {
  ...nullableInteger,
  description: "The number in the charger's messages, where it has one.",
} as const;

export const reservationQuerySchema = pageQuerySchema(['reservedAt', 'expiresAt']);

export const reservationPageSchema = pageSchema(
  recordSchema('Reservation', {
    reservationId: { type: 'integer' },
    socketId: { ...nullableInteger, description: 'Null: any socket.' },
    rfidTag: { type: 'string' },
    parentRfidTag: nullableString,
    expiresAt: timestampSchema,
    state: { type: 'string', enum: ['active', 'cancelled', 'used', 'expired'] },
    transactionId: { ...nullableInteger, description: 'The transaction that used it.' },
    reservedAt: timestampSchema,
    commandId: commandIdSchema,
  }),
);

export const profileQuerySchema = pageQuerySchema(['setAt', 'stackLevel']);

export const profilePageSchema = pageSchema(
  recordSchema('HeldChargingProfile', {
    chargingProfileId: { type: 'integer' },
    socketId: { ...nullableInteger, description: 'Null: the whole charger.' },
    chargingProfilePurpose: { type: 'string' },
    stackLevel: { type: 'integer' },
    transactionId: { ...nullableInteger, description: 'Only for a profile of one transaction.' },
    setAt: timestampSchema,
    commandId: commandIdSchema,
    chargingProfile: { type: 'object', description: 'As sent to the charger.', additionalProperties: true },
  }),
);

export const localListQuerySchema = pageQuerySchema(['rfidTag']);

const tagPage = pageSchema(
  recordSchema('LocalListTag', {
    rfidTag: { type: 'string' },
    status: { type: 'string' },
    expiringDate: nullableString,
    parentRfidTag: nullableString,
  }),
);

export const localListSchema = {
  ...tagPage,
  title: 'LocalList',
  properties: {
    ...tagPage.properties,
    listVersion: {
      ...nullableInteger,
      description: 'Null: unknown. 0: empty. -1: the charger does not support lists.',
    },
    complete: {
      type: 'boolean',
      description: 'False where the charger has tags that this service did not send, or too many.',
    },
    updatedAt: nullableTimestampSchema,
  },
  required: [...tagPage.required, 'listVersion', 'complete', 'updatedAt'],
} as const;

const requestFields = {
  location: { type: 'string', description: 'The URL without its credentials.' },
  retries: nullableInteger,
  retryIntervalS: nullableInteger,
  requestId: requestIdSchema,
  status: { ...nullableString, description: "The charger's status; null where OCPP has none for this." },
  requestedAt: timestampSchema,
  commandId: commandIdSchema,
} as const;

const firmwareRequest = recordSchema('FirmwareRequest', {
  ...requestFields,
  retrieveAt: nullableString,
  installAt: nullableString,
  signed: { type: 'boolean' },
});

const uploadRequest = recordSchema('UploadRequest', {
  ...requestFields,
  startTime: nullableString,
  stopTime: nullableString,
  logType: nullableString,
  fileName: { ...nullableString, description: 'Null: there was nothing to upload.' },
});

const stepSchema = recordSchema('TransferStep', {
  at: timestampSchema,
  what: { type: 'string', enum: ['firmware', 'diagnostics', 'log'] },
  step: { type: 'string', enum: ['requested', 'progressed'] },
  status: { ...nullableString, description: "The charger's status." },
  requestId: requestIdSchema,
});

const progressFields = {
  status: { ...nullableString, description: "The charger's last status; null before the first." },
  statusAt: nullableTimestampSchema,
  statusRequestId: {
    type: ['integer', 'null'],
    description:
      'The request that the status is about, where the charger names it. It may be older than the last request.',
  },
} as const;

const historySchema = {
  type: 'array',
  items: stepSchema,
  description: 'Newest first, at most a hundred, within the retention of history.',
} as const;

export const firmwareSchema = recordSchema('FirmwareState', {
  chargerId: { type: 'string' },
  firmware: { type: 'string', description: 'The version that the charger reported at its last boot.' },
  ...progressFields,
  lastRequest: { anyOf: [firmwareRequest, { type: 'null' }] },
  history: historySchema,
});

const uploadSchema = recordSchema('Upload', {
  ...progressFields,
  lastRequest: { anyOf: [uploadRequest, { type: 'null' }] },
});

export const diagnosticsSchema = recordSchema('DiagnosticsState', {
  chargerId: { type: 'string' },
  diagnostics: uploadSchema,
  log: { ...uploadSchema, title: 'LogUpload', description: 'Logs of the security extension.' },
  history: historySchema,
});
