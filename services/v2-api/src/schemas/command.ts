import { commandIdSchema } from '@busbar/domain';
import { instantSchema, nullableInstantSchema, recordSchema } from './values';

export const commandParamsSchema = {
  type: 'object',
  properties: { commandId: commandIdSchema },
  required: ['commandId'],
  additionalProperties: false,
} as const;

export const commandSchema = recordSchema('Command', {
  commandId: { type: 'string' },
  chargerId: { type: 'string' },
  operation: {
    type: 'string',
    description: 'Such as `startCharging` or `reset`; of a raw call the OCPP action.',
  },
  requestedAt: instantSchema,
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
  completedAt: nullableInstantSchema,
});
