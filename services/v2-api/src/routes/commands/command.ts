// The common parts of all commands of this API.
import {
  COMMAND_ERRORS,
  commandOf,
  commandTimeoutSchema,
  ownerOf,
  type CommandDeps,
  type CommandRequest,
} from '@busbar/api';
import { callCharger, type Commanded, type Encode } from '@busbar/domain/commands';
import { chargerParamsSchema, recordSchema } from '../../schemas/values';

export const timeoutQuerySchema = {
  type: 'object',
  properties: { timeoutS: commandTimeoutSchema },
  additionalProperties: false,
} as const;

/** Spread into the definition of a command's route. */
export const commandParts = {
  method: 'POST',
  // For any method: a repeated command may take effect twice. Routes that only read opt out.
  acceptsIdempotencyKey: true,
  tag: 'Commands',
  permission: 'chargers:operate',
  params: chargerParamsSchema,
  query: timeoutQuerySchema,
  errors: COMMAND_ERRORS,
} as const;

export const statusSchema = {
  type: 'string',
  description: "The charger's status. `Rejected` is a response with 200.",
} as const;

/** In every response to a command. */
export const commandedSchemas = {
  commandId: { type: 'string', description: 'The id of the stored command: `GET /v2/commands/{commandId}`.' },
} as const;

/** A response with only a status. */
export const chargerStatusSchema = recordSchema('CommandStatus', {
  chargerId: { type: 'string' },
  status: statusSchema,
  ...commandedSchemas,
});

export const emptyBodySchema = {
  title: 'EmptyBody',
  type: 'object',
  properties: {},
  additionalProperties: false,
} as const;

/** Sends a command and returns the charger's response with the charger's id. */
export async function send<Answer extends object>(
  deps: CommandDeps,
  call: CommandRequest,
  encode: Encode<Answer>,
): Promise<Answer & Commanded & { readonly chargerId: string }> {
  const answer = await callCharger(deps, ownerOf(call), commandOf(deps, call, encode));
  return { chargerId: call.params.chargerId, ...answer };
}
