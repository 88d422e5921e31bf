import { pageQuerySchema } from '@busbar/http';
import { timestampSchema, nullableTimestampSchema, OWN_COMMAS, recordSchema } from './values';

const pageQuery = pageQuerySchema(['requestTimestamp']);

export const ocppLogQuerySchema = {
  ...pageQuery,
  properties: {
    ...pageQuery.properties,
    search: { ...pageQuery.properties.search, description: 'Matches a part of either frame, without case.' },
    startDate: {
      ...timestampSchema,
      description:
        "Recorded at this timestamp or later. A charger's CALL is recorded at its receipt, the service's CALL at its end.",
    },
    endDate: { ...timestampSchema, description: 'Recorded at this timestamp or earlier.' },
    messageTypes: {
      type: 'array',
      // Longer than any OCPP action. With every character percent-encoded all of them fit the listener's limit.
      items: { type: 'string', minLength: 1, maxLength: 40 },
      maxItems: 40 as number,
      description: `OCPP actions such as StatusNotification, compared with case. ${OWN_COMMAS}`,
    },
    includeHeartbeats: {
      type: 'boolean',
      description: 'Default false. `Heartbeat` in messageTypes includes them too.',
    },
  },
} as const;

const exchangeRecord = recordSchema('OcppExchange', {
  messageId: { type: 'string' },
  ocppVersion: { type: 'string' },
  messageType: { type: 'string', description: 'The OCPP action; empty for a frame without one.' },
  source: { type: 'string', enum: ['charger', 'service'], description: 'The side that sent the CALL.' },
  requestTimestamp: timestampSchema,
  responseTimestamp: { ...nullableTimestampSchema, description: 'Null without a response.' },
  commandId: { type: ['string', 'null'], description: 'The command of an API that caused the CALL.' },
  requestId: { type: ['string', 'null'], description: 'The id of the HTTP request of the command.' },
  request: {
    description:
      "The CALL's payload with secrets masked; a text for a frame that is not OCPP, or truncated (`truncated`).",
  },
  response: {
    description:
      "The response's payload; errorCode, errorDescription and errorDetails of a CALLERROR; null without a response.",
  },
});

/** The log truncates frames above 16 KiB. */
export const exchangeSchema = {
  ...exchangeRecord,
  properties: {
    ...exchangeRecord.properties,
    truncated: {
      type: 'boolean',
      enum: [true],
      description:
        'Present where a frame is larger than 16 KiB: it is stored without insignificant white space and truncated at 16 KiB.',
    },
    requestBytes: { type: 'integer', description: "The request frame's length in bytes, where truncated." },
    responseBytes: {
      type: 'integer',
      description: "The response frame's length in bytes, where truncated.",
    },
  },
} as const;
