import type { Clock } from '@busbar/core';
import { readCommand, type CommandReader, type CommandRecord } from '@busbar/domain';
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
    summary: 'Read a command',
    description: [
      'What became of a command of the last 24 hours, also of one that failed: every response to a command has its `commandId`.',
      'The last 2,000 commands of a charger are kept.',
    ].join(' '),
    permission: 'chargers:read',
    params: commandParamsSchema,
    response: commandSchema,
    errors: ['not_found'],
    handler: async ({ auth, params }) => presentCommand(await readCommand(deps, auth.clientId, params.commandId)),
  });

function presentCommand({ response, ...command }: CommandRecord) {
  const { commandId, chargerId, operation, requestedAt, requestedBy, requestId, outcome, completedAt } = command;
  return {
    ...{ commandId, chargerId, operation, requestedAt, requestedBy, requestId, outcome },
    response: response === null ? null : responseOf(response),
    completedAt,
  };
}

function responseOf(text: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(text);
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
