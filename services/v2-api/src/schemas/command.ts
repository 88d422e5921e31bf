import { commandIdSchema } from '@busbar/api';
import { timestampSchema, nullableTimestampSchema, recordSchema } from './values';

export const commandParamsSchema = {
  type: 'object',
  properties: { commandId: commandIdSchema },
  required: ['commandId'],
  additionalProperties: false,
} as const;

const commandRecord = recordSchema('Command', {
  commandId: { type: 'string' },
  chargerId: { type: 'string' },
  operation: {
    type: 'string',
    description: 'Such as `startCharging` or `reset`; of a raw call the OCPP action.',
  },
  request: {
    type: ['object', 'string', 'null'],
    description: [
      "What was asked for: the operation's input as the service took it, in the words of the API; of a raw call its payload.",
      'Also there where nothing was sent. The OCPP log has the call in the words of OCPP. Secrets are masked as in the log.',
      'The text of an input that is cut (`truncated`); null for a command from before this was stored.',
    ].join(' '),
    additionalProperties: true,
  },
  requestedAt: timestampSchema,
  requestedBy: { type: 'string', description: 'The id of the API key.' },
  requestId: { type: 'string', description: 'Of the request; in the OCPP log too.' },
  outcome: {
    type: 'string',
    description: [
      '`answered`: the charger answered, `Rejected` included. `in_progress`: not yet. `unknown`: the process that waited for the',
      'answer is gone. Else the `code` of the error response, such as `charger_offline` or `charger_timeout`.',
    ].join(' '),
  },
  response: {
    type: ['object', 'null'],
    description: [
      "The charger's answer as the response to the request had it, secrets masked; of `charger_error` its code and description.",
      'Of an answer above 16 KiB only the `status`.',
    ].join(' '),
    additionalProperties: true,
  },
  completedAt: nullableTimestampSchema,
});

/** Of an input above 16 KiB less is stored than was asked for. */
export const commandSchema = {
  ...commandRecord,
  properties: {
    ...commandRecord.properties,
    truncated: {
      type: 'boolean',
      enum: [true],
      description: 'Present where the input was larger than 16 KiB. Its JSON text is cut at 16 KiB.',
    },
    requestBytes: { type: 'integer', description: "The input's true length in bytes as JSON, where it was cut." },
  },
} as const;
