// What all commands of this API have in common.
import { commandTimeoutSchema } from '@busbar/api';
import { callCharger, type Commanded, type Encode } from '@busbar/domain/commands';
import { COMMAND_ERRORS, commandOf, ownerOf, type CommandDeps, type CommandRequest } from '@busbar/api';
import { chargerParamsSchema, recordSchema } from '../../schemas/values';

export const timeoutQuerySchema = {
  type: 'object',
  properties: { timeoutS: commandTimeoutSchema },
  additionalProperties: false,
} as const;

/** To be spread into the definition of a route. */
export const commandParts = {
  method: 'POST',
  // Whatever its method: a command that is sent twice may be done twice. Where a charger is only asked, it says so itself.
  acceptsIdempotencyKey: true,
  tag: 'Commands',
  permission: 'chargers:operate',
  params: chargerParamsSchema,
  query: timeoutQuerySchema,
  errors: COMMAND_ERRORS,
} as const;

export const statusSchema = {
  type: 'string',
  description: "The charger's own word. `Rejected` is an answer too.",
} as const;

/** In every response to a command. */
export const commandedSchemas = {
  commandId: { type: 'string', description: 'What the command is recorded as: `GET /v2/commands/{commandId}`.' },
} as const;

/** The charger's answer where it is a status and no more. */
export const chargerStatusSchema = recordSchema('CommandStatus', {
  chargerId: { type: 'string' },
  status: statusSchema,
  ...commandedSchemas,
});

export const emptyBodySchema = {
  title: 'Nothing',
  type: 'object',
  properties: {},
  additionalProperties: false,
} as const;

/** Sends what was asked for and gives the charger's answer with whose it is. */
export async function send<Answer extends object>(
  deps: CommandDeps,
  call: CommandRequest,
  wording: Encode<Answer>,
): Promise<Answer & Commanded & { readonly chargerId: string }> {
  const answer = await callCharger(deps, ownerOf(call), commandOf(deps, call, wording));
  return { chargerId: call.params.chargerId, ...answer };
}
