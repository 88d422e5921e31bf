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
    description: 'For example `startCharging` or `reset`; the OCPP action of a raw call.',
  },
  request: {
    type: ['object', 'string', 'null'],
    description: [
      "The operation's input in the terms of the API, or the payload of a raw call, with secrets masked.",
      'It is stored even if nothing was sent. The OCPP log has the OCPP call.',
      'It is a text where truncated (`truncated`), and null for a command that was stored without its input.',
    ].join(' '),
    additionalProperties: true,
  },
  requestedAt: timestampSchema,
  requestedBy: { type: 'string', description: 'The id of the API key.' },
  requestId: { type: 'string', description: 'The id of the request, also in the OCPP log.' },
  outcome: {
    type: 'string',
    description: [
      '`answered`: the charger responded, also with `Rejected`. `in_progress`: no response yet. `unknown`: the process that',
      'waited for the response ended. Otherwise the `code` of the error response, such as `charger_offline` or `charger_timeout`.',
    ].join(' '),
  },
  response: {
    type: ['object', 'null'],
    description: [
      "The charger's response with secrets masked; code and description of a `charger_error`.",
      'Only the `status` of a response above 16 KiB.',
    ].join(' '),
    additionalProperties: true,
  },
  completedAt: nullableTimestampSchema,
});

/** An input above 16 KiB is truncated. */
export const commandSchema = {
  ...commandRecord,
  properties: {
    ...commandRecord.properties,
    truncated: {
      type: 'boolean',
      enum: [true],
      description: 'Present where the input is larger than 16 KiB: its JSON text is truncated at 16 KiB.',
    },
    requestBytes: { type: 'integer', description: "The input's length in bytes as JSON, where truncated." },
  },
} as const;
