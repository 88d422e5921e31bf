import type { Clock } from '@busbar/core';
import { readCommand, type CommandReader, type CommandRecord } from '@busbar/domain/commands';
import { route } from '../../route';
import { commandParamsSchema, commandSchema } from '../../schemas/command';

interface Deps {
  readonly commands: CommandReader;
  readonly clock: Clock;
}

export const readCommandRoute = (deps: Deps) =>
  route({
    method: 'GET',
    path: '/commands/:commandId',
    tag: 'Commands',
    operationId: 'getCommand',
    summary: 'Read a command',
    description: [
      'The input and the outcome of a command of the last 24 hours, also of a failed one.',
      'Every response to a command has its `commandId`.',
      'The last 2,000 commands of a charger are stored.',
    ].join(' '),
    permission: 'chargers:read',
    params: commandParamsSchema,
    response: commandSchema,
    errors: ['not_found'],
    handler: async ({ auth, params }) => presentCommand(await readCommand(deps, auth.clientId, params.commandId)),
  });

function presentCommand({ request, requestBytes, response, ...command }: CommandRecord) {
  const { commandId, chargerId, operation, requestedAt, requestedBy, requestId, outcome, completedAt } = command;
  return {
    commandId,
    chargerId,
    operation,
    request: requestOf(request, requestBytes !== undefined),
    requestedAt,
    requestedBy,
    requestId,
    outcome,
    response: response === null ? null : fieldsOf(response),
    completedAt,
    ...(requestBytes === undefined ? {} : { truncated: true as const, requestBytes }),
  };
}

function requestOf(text: string | undefined, isCut: boolean) {
  if (text === undefined) return null;
  return isCut ? text : fieldsOf(text);
}

function fieldsOf(text: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(text);
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
