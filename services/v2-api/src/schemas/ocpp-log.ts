import { commandIdSchema } from '@busbar/api';
import { field, pageQuerySchema, withProperties } from '@busbar/http';
import { EXAMPLES_16 } from '@busbar/ocpp';
import {
  boolean,
  integer,
  nullableString,
  nullableTimestampSchema,
  OWN_COMMAS,
  recordSchema,
  string,
  timestampSchema,
} from './values';

const MAX_TYPES: number = 40;

export const ocppLogQuerySchema = withProperties(
  pageQuerySchema(['requestTimestamp'], 'newest first', 'a part of either frame, without case'),
  {
    startDate: field(
      timestampSchema,
      "Recorded at this timestamp or later. A charger's CALL is recorded at its receipt, the service's CALL at its end.",
    ),
    endDate: field(timestampSchema, 'Recorded at this timestamp or earlier.'),
    messageTypes: field(
      {
        type: 'array',
        // Longer than any OCPP action. With every character percent-encoded all of them fit the listener's limit.
        items: { type: 'string', minLength: 1, maxLength: 40 },
        maxItems: MAX_TYPES,
      },
      `OCPP actions such as StatusNotification, compared with case. ${OWN_COMMAS}`,
    ),
    commandId: field(commandIdSchema, 'The CALLs that this command caused.'),
    includeHeartbeats: field(boolean, 'Default false. `Heartbeat` in messageTypes includes them too.'),
  },
);

/** The log truncates frames above 16 KiB. */
export const exchangeSchema = recordSchema(
  'OcppExchange',
  'A CALL of either side with its response.',
  {
    messageId: field(string, 'Message id of the CALL.', '19223201'),
    ocppVersion: field(string, 'OCPP version of the connection.', 'ocpp1.6'),
    messageType: field(string, 'The OCPP action; empty for a frame without one.', 'StatusNotification'),
    source: field({ type: 'string', enum: ['charger', 'service'] }, 'The side that sent the CALL.'),
    requestTimestamp: field(timestampSchema, 'When the CALL was sent or received.'),
    responseTimestamp: field(
      nullableTimestampSchema,
      'When the response was sent or received. Null: no response.',
      '2026-01-31T12:00:00.004Z',
    ),
    commandId: field(nullableString, 'The command of an API that caused the CALL. Null: none.', null),
    requestId: field(nullableString, 'The id of the HTTP request of the command. Null: none.', null),
    request: field(
      {},
      "The CALL's payload with secrets masked; a text for a frame that is not OCPP, or truncated (`truncated`). Null: none.",
      EXAMPLES_16.statusNotification,
    ),
    response: field(
      {},
      "The response's payload; errorCode, errorDescription and errorDetails of a CALLERROR. Null: no response.",
      {},
    ),
  },
  {
    truncated: field(
      { type: 'boolean', enum: [true] },
      'Present where a frame is larger than 16 KiB: it is stored without insignificant white space and truncated at 16 KiB.',
    ),
    requestBytes: field(integer, "The request frame's length in bytes, where truncated."),
    responseBytes: field(integer, "The response frame's length in bytes, where truncated."),
  },
);
