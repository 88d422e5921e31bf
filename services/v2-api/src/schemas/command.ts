import { commandIdSchema } from '@busbar/api';
import { field } from '@busbar/http';
import {
  common,
  integer,
  nullableTimestampSchema,
  paramsSchema,
  recordSchema,
  string,
  timestampSchema,
} from './values';

export const commandParamsSchema = paramsSchema({ commandId: commandIdSchema });

/** An object of any fields, where `type` may also be null or a text. */
const openObject = { additionalProperties: true } as const;

/** An input above 16 KiB is truncated. */
export const commandSchema = recordSchema(
  'Command',
  'The stored command.',
  {
    commandId: field(string, 'Id of the command.', commandIdSchema.examples[0]),
    chargerId: common.chargerId,
    operation: field(string, 'For example `startCharging` or `reset`; the OCPP action of a raw call.', 'startCharging'),
    request: field(
      { ...openObject, type: ['object', 'string', 'null'] },
      [
        "The operation's input in the terms of the API, or the payload of a raw call, with secrets masked.",
        'It is stored even if nothing was sent. The OCPP log has the OCPP call.',
        'It is a text where truncated (`truncated`). Null: the command was stored without its input.',
      ].join(' '),
      { socketId: 1, rfidTag: '04E91C5A123B80' },
    ),
    requestedAt: field(timestampSchema, 'When the command was requested.'),
    requestedBy: field(string, 'The id of the API key.', 'key_01jax5z3v1c4e6g8j0m2p4r6tv'),
    requestId: field(string, 'The id of the request, also in the OCPP log.', '01JAX5Z3V0H5K8N2P4S6T8VWXY'),
    outcome: field(
      string,
      [
        '`answered`: the charger responded, also with `Rejected`. `in_progress`: no response yet. `unknown`: the process that',
        'waited for the response ended. Otherwise the `code` of the error response, such as `charger_offline` or `charger_timeout`.',
      ].join(' '),
      'answered',
    ),
    response: field(
      { ...openObject, type: ['object', 'null'] },
      [
        "The charger's response with secrets masked; code and description of a `charger_error`. Null: no response.",
        'Only the `status` of a response above 16 KiB.',
      ].join(' '),
      { status: 'Accepted' },
    ),
    completedAt: field(
      nullableTimestampSchema,
      'When the outcome was known. Null: in progress, or unknown.',
      '2026-01-31T12:00:00.450Z',
    ),
  },
  {
    truncated: field(
      { type: 'boolean', enum: [true] },
      'Present where the input is larger than 16 KiB: its JSON text is truncated at 16 KiB.',
    ),
    requestBytes: field(integer, "The input's length in bytes as JSON, where truncated."),
  },
);
