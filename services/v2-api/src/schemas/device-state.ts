// Device state that commands installed in a charger, and its file transfers.
import { field, pageQuerySchema, pageSchema, pageSchemaWith } from '@busbar/http';
import {
  boolean,
  common,
  integer,
  nullableInteger,
  nullableString,
  nullableTimestampSchema,
  recordSchema,
  string,
  timestampSchema,
} from './values';

export const commandIdSchema = field(
  nullableString,
  'The command that caused it. Null: not known.',
  '01JAX5Z3V8Q2M7R4T6W9Y0BCDE',
);
const requestIdSchema = field(
  nullableInteger,
  "The number in the charger's messages. Null: its OCPP version has none.",
  null,
);

export const reservationQuerySchema = pageQuerySchema(
  ['reservedAt', 'expiresAt'],
  'oldest first',
  'a part of an RFID tag',
);

export const reservationPageSchema = pageSchema(
  'ReservationPage',
  recordSchema('Reservation', 'A reservation that the charger accepted.', {
    reservationId: field(integer, 'Number of the reservation.', 17),
    socketId: field(nullableInteger, 'Number of the socket. Null: any socket.', 1),
    rfidTag: field(string, 'The tag that it is for.', '04E91C5A123B80'),
    parentRfidTag: field(nullableString, 'The group of tags that may use it too. Null: none.', null),
    expiresAt: field(timestampSchema, 'When it expires.', '2026-01-31T12:30:00.000Z'),
    state: field({ type: 'string', enum: ['active', 'cancelled', 'used', 'expired'] }, 'Its state now.'),
    transactionId: field(nullableInteger, 'The transaction that used it. Null: none.', null),
    reservedAt: field(timestampSchema, 'When the charger accepted it.'),
    commandId: commandIdSchema,
  }),
);

export const localListQuerySchema = pageQuerySchema(['rfidTag'], 'as sent', 'a part of an RFID tag');

const listedTagSchema = recordSchema('LocalListTag', 'A tag of the local list.', {
  rfidTag: field(string, 'The RFID tag.', '04E91C5A123B80'),
  status: field(string, 'Status of the tag, as OCPP names it.', 'Accepted'),
  expiringDate: field(nullableString, 'When the tag expires. Null: it does not.', null),
  parentRfidTag: field(nullableString, 'The group of the tag. Null: none.', null),
});

export const localListSchema = {
  ...pageSchemaWith('LocalList', listedTagSchema, {
    listVersion: field(
      nullableInteger,
      'Version of the list. Null: unknown. 0: empty. -1: the charger does not support lists.',
      1,
    ),
    complete: field(boolean, 'False where the charger has tags that this service did not send, or too many.', true),
    updatedAt: field(nullableTimestampSchema, 'When the list was last sent. Null: unknown.'),
  }),
  description: 'The local list as sent and accepted, paged.',
} as const;

const requestFields = {
  location: field(string, 'The URL without its credentials.', 'https://files.example/firmware-2.1.bin'),
  retries: field(nullableInteger, 'How often the charger may retry. Null: not given.', 3),
  retryIntervalS: field(nullableInteger, 'Seconds between two attempts. Null: not given.', 60),
  requestId: requestIdSchema,
  status: field(nullableString, "The charger's response. Null: OCPP has none for this.", null),
  requestedAt: field(timestampSchema, 'When the command was requested.'),
  commandId: commandIdSchema,
} as const;

const firmwareRequest = recordSchema('FirmwareRequest', 'The last request of an update. Null: none yet.', {
  ...requestFields,
  retrieveAt: field(nullableString, 'When to download it. Null: at once.', '2026-01-31T12:00:00.000Z'),
  installAt: field(nullableString, 'When to install it. Null: at once.', null),
  signed: field(boolean, 'Whether it was requested with a signature.', false),
});

const uploadRequest = recordSchema('UploadRequest', 'The last request of an upload. Null: none yet.', {
  ...requestFields,
  location: field(string, 'The URL without its credentials.', 'ftp://files.example/uploads'),
  startTime: field(nullableString, 'Begin of the requested period. Null: not limited.', '2026-01-31T00:00:00.000Z'),
  stopTime: field(nullableString, 'End of the requested period. Null: not limited.', null),
  logType: field(
    nullableString,
    'DiagnosticsLog, SecurityLog, or DataCollectorLog of OCPP 2.1. Null: diagnostics of OCPP 1.6.',
    null,
  ),
  fileName: field(nullableString, 'Name of the file. Null: there was nothing to upload.', 'diagnostics.zip'),
});

const stepSchema = recordSchema('TransferStep', 'A step of a transfer.', {
  at: field(timestampSchema, 'When it happened.'),
  what: field({ type: 'string', enum: ['firmware', 'diagnostics', 'log'] }, 'What is transferred.'),
  step: field(
    { type: 'string', enum: ['requested', 'progressed'] },
    '`requested`: a command. `progressed`: a message of the charger.',
    'progressed',
  ),
  status: field(nullableString, "The charger's status. Null: none.", 'Downloading'),
  requestId: requestIdSchema,
});

const progressFields = {
  status: field(nullableString, "The charger's last status. Null: before the first.", 'Downloading'),
  statusAt: field(nullableTimestampSchema, 'Time of the last status. Null: before the first.'),
  statusRequestId: field(
    nullableInteger,
    'The request that the status is about. It may be older than the last request. Null: the charger does not name it.',
    null,
  ),
} as const;

const historySchema = field(
  { type: 'array', items: stepSchema },
  'Newest first, at most a hundred, within the retention of history.',
);

export const firmwareSchema = recordSchema('FirmwareState', 'The progress of the firmware update.', {
  chargerId: common.chargerId,
  firmware: field(string, 'The version that the charger reported at its last boot. Empty: not reported.', '2.1.0'),
  ...progressFields,
  lastRequest: field({ anyOf: [firmwareRequest, { type: 'null' }] }, 'The last request of an update. Null: none yet.'),
  history: historySchema,
});

const uploadSchema = recordSchema('Upload', 'Diagnostics.', {
  ...progressFields,
  lastRequest: field({ anyOf: [uploadRequest, { type: 'null' }] }, 'The last request of an upload. Null: none yet.'),
});

export const diagnosticsSchema = recordSchema('DiagnosticsState', 'The progress of uploads.', {
  chargerId: common.chargerId,
  diagnostics: uploadSchema,
  log: { ...uploadSchema, title: 'LogUpload', description: 'Logs of the security extension, and of OCPP 2.x.' },
  history: historySchema,
});
