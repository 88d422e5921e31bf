// The common parts of all commands of this API.
import {
  COMMAND_ERRORS,
  commandOf,
  commandTimeoutSchema,
  ownerOf,
  type CommandDeps,
  type CommandRequest,
} from '@busbar/api';
import { AppError } from '@busbar/core';
import type { Permission } from '@busbar/domain/clients';
import { callCharger, callInParts, type ChargerCommand, type Commanded, type Encode } from '@busbar/domain/commands';
import { field } from '@busbar/http';
import { encodeOperation } from '@busbar/ocpp';
import type { JSONSchema } from 'json-schema-to-ts';
import { chargerParamsSchema, common, recordSchema, string } from '../../schemas/values';

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

export const statusSchema = field(
  string,
  "The charger's status, as OCPP names it. `Rejected` is a response with 200.",
  'Accepted',
);

/** In every response to a command. */
export const commandedSchemas = {
  commandId: field(
    string,
    'The id of the stored command: `GET /v2/commands/{commandId}`.',
    '01JAX5Z3V8Q2M7R4T6W9Y0BCDE',
  ),
} as const;

/** A response with the charger's id, these fields and the id of the stored command. */
export function answerSchema<const T extends string, const F extends Readonly<Record<string, JSONSchema>>>(
  title: T,
  description: string,
  fields: F,
) {
  return recordSchema(title, description, { chargerId: common.chargerId, ...fields, ...commandedSchemas });
}

export const chargerStatusSchema = answerSchema('CommandStatus', "The charger's response.", { status: statusSchema });

/** Of a list that the charger was not asked for. */
export const NOT_ASKED = { status: null, commandId: null } as const;

export const emptyBodySchema = {
  title: 'EmptyBody',
  type: 'object',
  description: 'No fields. The body may be absent.',
  properties: {},
  additionalProperties: false,
} as const;

/** For the description of a route that requires it. */
export const ALSO_WRITE = 'Also requires the permission `chargers:write`.';

/** Throws `forbidden` where the key lacks a permission beside that of the route. `what` requires it, for the message. */
export function requirePermission({ auth }: Pick<CommandRequest, 'auth'>, permission: Permission, what: string): void {
  if (auth.permissions.includes(permission)) return;
  throw new AppError('forbidden', `This API key lacks the permission ${permission}, which ${what} requires.`);
}

/** The error for a body that must have one of several fields: at `field`, for which `others` may be given. `detail` is the sentence. */
export function nothingGiven(detail: string, field: string, others: string): AppError {
  const issues = [{ field, message: `or ${others} must be given` }];
  return new AppError('invalid_request', detail, { details: { issues } });
}

/** Sends a command and returns the charger's response with the charger's id. */
export async function send<Answer extends object>(
  deps: CommandDeps,
  call: CommandRequest,
  encode: Encode<Answer>,
  more: Pick<ChargerCommand<Answer>, 'stored'> = {},
): Promise<Answer & Commanded & { readonly chargerId: string }> {
  const answer = await callCharger(deps, ownerOf(call), { ...commandOf(deps, call, encode), ...more });
  return { chargerId: call.params.chargerId, ...answer };
}

/** Sends an operation on variables or monitors, in as many CALLs as the charger needs, and returns the answer of each (rule 153). */
export function sendInParts<Item, Answer extends object>(
  deps: CommandDeps,
  call: CommandRequest,
  items: readonly Item[],
  encode: (items: readonly Item[]) => Encode<Answer>,
): Promise<readonly (Answer & Commanded)[]> {
  return callInParts(deps, ownerOf(call), {
    items,
    commandOf: (part) => commandOf(deps, call, encode(part)),
    reading: (names) =>
      commandOf(deps, call, encodeOperation('getVariables', { variables: names.map((name) => ({ name })) })),
  });
}
