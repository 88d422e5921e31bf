// What a charger holds and loads because it was told to.
import { pageQuerySchema, pageSchema } from '@busbar/http';
import { timestampSchema, nullableTimestampSchema, recordSchema } from './values';

const nullableInteger = { type: ['integer', 'null'] } as const;
const nullableString = { type: ['string', 'null'] } as const;
const commandIdSchema = { ...nullableString, description: 'The command that it came of.' } as const;
const requestIdSchema = { ...nullableInteger, description: 'What the charger names it by, where it does.' } as const;

export const reservationQuerySchema = pageQuerySchema(['reservedAt', 'expiresAt']);

export const reservationPageSchema = pageSchema(
  recordSchema('Reservation', {
    reservationId: { type: 'integer' },
    socketId: { ...nullableInteger, description: 'null: any socket.' },
    rfidTag: { type: 'string' },
    parentRfidTag: nullableString,
    expiresAt: timestampSchema,
    state: { type: 'string', enum: ['active', 'cancelled', 'used', 'expired'] },
    transactionId: { ...nullableInteger, description: 'Of a used one.' },
    reservedAt: timestampSchema,
    commandId: commandIdSchema,
  }),
);

export const profileQuerySchema = pageQuerySchema(['setAt', 'stackLevel']);

export const profilePageSchema = pageSchema(
  recordSchema('HeldChargingProfile', {
    chargingProfileId: { type: 'integer' },
    socketId: { ...nullableInteger, description: 'null: the whole charger.' },
    chargingProfilePurpose: { type: 'string' },
    stackLevel: { type: 'integer' },
    transactionId: { ...nullableInteger, description: 'Of one for a single transaction.' },
    setAt: timestampSchema,
    commandId: commandIdSchema,
    chargingProfile: { type: 'object', description: 'As it was sent.', additionalProperties: true },
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
      description: 'null: nothing is known of it; 0: it is empty; -1: the charger cannot have one.',
    },
    complete: {
      type: 'boolean',
      description: 'False where the charger holds tags that were not sent by way of this service, or too many.',
    },
    updatedAt: nullableTimestampSchema,
  },
  required: [...tagPage.required, 'listVersion', 'complete', 'updatedAt'],
} as const;

const requestFields = {
  location: { type: 'string', description: 'Without the login in it.' },
  retries: nullableInteger,
  retryIntervalS: nullableInteger,
  requestId: requestIdSchema,
  status: { ...nullableString, description: "The charger's own word; null where OCPP has none for it." },
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
  fileName: { ...nullableString, description: 'null: there was nothing to upload.' },
});

const stepSchema = recordSchema('TransferStep', {
  at: timestampSchema,
  what: { type: 'string', enum: ['firmware', 'diagnostics', 'log'] },
  step: { type: 'string', enum: ['requested', 'progressed'] },
  status: { ...nullableString, description: "The charger's own word." },
  requestId: requestIdSchema,
});

const progressFields = {
  status: { ...nullableString, description: "The charger's last word on it; null before the first." },
  statusAt: nullableTimestampSchema,
  statusRequestId: {
    type: ['integer', 'null'],
    description:
      'The request that this is the word on, where the charger named it: it may be an older one than the last.',
  },
} as const;

const historySchema = {
  type: 'array',
  items: stepSchema,
  description: 'Newest first, at most a hundred, for as long as history is kept.',
} as const;

export const firmwareSchema = recordSchema('FirmwareState', {
  chargerId: { type: 'string' },
  firmware: { type: 'string', description: 'The version that the charger told at its last boot.' },
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
  log: { ...uploadSchema, title: 'LogUpload', description: 'By the security extension.' },
  history: historySchema,
});
