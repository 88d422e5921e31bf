import { pageQuerySchema } from '@busbar/http';
import { instantSchema, nullableInstantSchema, OWN_COMMAS, recordSchema } from './values';

const pageQuery = pageQuerySchema(['requestTimestamp']);

export const ocppLogQuerySchema = {
  ...pageQuery,
  properties: {
    ...pageQuery.properties,
    search: { ...pageQuery.properties.search, description: 'A part of either frame, without regard to case.' },
    startDate: { ...instantSchema, description: 'Recorded at this instant or after it.' },
    endDate: { ...instantSchema, description: 'Recorded at this instant or before it.' },
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

export const exchangeSchema = recordSchema('OcppExchange', {
  messageId: { type: 'string' },
  ocppVersion: { type: 'string' },
  messageType: { type: 'string', description: 'The OCPP action; empty for a frame that named none.' },
  source: { type: 'string', enum: ['charger', 'service'], description: 'Who called.' },
  requestTimestamp: instantSchema,
  responseTimestamp: { ...nullableInstantSchema, description: 'Null while there is no answer.' },
  request: { description: "The CALL's payload, secrets masked; a frame that was none of OCPP's as its text." },
  response: {
    description: "The answer's payload; of a CALLERROR errorCode, errorDescription and errorDetails; null for none.",
  },
});
