import { pageQuerySchema } from '@busbar/http';
import { timestampSchema, nullableTimestampSchema, OWN_COMMAS, recordSchema } from './values';

const pageQuery = pageQuerySchema(['requestTimestamp']);

export const ocppLogQuerySchema = {
  ...pageQuery,
  properties: {
    ...pageQuery.properties,
    search: { ...pageQuery.properties.search, description: 'A part of either frame, without regard to case.' },
    startDate: {
      ...timestampSchema,
      description:
        'Recorded at this timestamp or after it: a CALL of the charger when it came, one of ours when it ended.',
    },
    endDate: { ...timestampSchema, description: 'Recorded at this timestamp or before it.' },
    messageTypes: {
      type: 'array',
      // Longer than any name of OCPP's; all of them together fit the listener's limit, each character percent-encoded.
      items: { type: 'string', minLength: 1, maxLength: 40 },
      maxItems: 40 as number,
      description: `OCPP actions such as StatusNotification, compared with case. ${OWN_COMMAS}`,
    },
    includeHeartbeats: {
      type: 'boolean',
      description: 'False when absent. `Heartbeat` among the messageTypes includes them too.',
    },
  },
} as const;

const exchangeRecord = recordSchema('OcppExchange', {
  messageId: { type: 'string' },
  ocppVersion: { type: 'string' },
  messageType: { type: 'string', description: 'The OCPP action; empty for a frame that named none.' },
  source: { type: 'string', enum: ['charger', 'service'], description: 'Who called.' },
  requestTimestamp: timestampSchema,
  responseTimestamp: { ...nullableTimestampSchema, description: 'Null while there is no answer.' },
  commandId: { type: ['string', 'null'], description: 'Of a command that came through an API.' },
  requestId: { type: ['string', 'null'], description: 'Of the request that the command came by.' },
  request: {
    description:
      "The CALL's payload, secrets masked; the text of a frame that was none of OCPP's, or that is cut (`truncated`).",
  },
  response: {
    description: "The answer's payload; of a CALLERROR errorCode, errorDescription and errorDetails; null for none.",
  },
});

/** Of a frame above 16 KiB the log keeps less than was sent. */
export const exchangeSchema = {
  ...exchangeRecord,
  properties: {
    ...exchangeRecord.properties,
    truncated: {
      type: 'boolean',
      enum: [true],
      description:
        'Present where a frame was larger than 16 KiB. The log keeps it without insignificant white space, cut at 16 KiB.',
    },
    requestBytes: { type: 'integer', description: "The request frame's true length in bytes, where it was shortened." },
    responseBytes: {
      type: 'integer',
      description: "The response frame's true length in bytes, where it was shortened.",
    },
  },
} as const;
