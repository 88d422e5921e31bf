// Commands to chargers. The response has only the charger's `status`.
import {
  chargerIdSchema,
  COMMAND_ERRORS,
  commandOf,
  commandTimeoutSchema,
  configNameSchema,
  configValueSchema,
  ownerOf,
  rfidTagSchema,
  socketIdSchema,
  transactionIdSchema,
  type CommandDeps,
  type CommandRequest,
} from '@busbar/api';
import type { ApiKey } from '@busbar/domain/clients';
import { callCharger, startCharging, stopTransaction, TAG_ERRORS, type Encode } from '@busbar/domain/commands';
import { field, type Route } from '@busbar/http';
import { encodeOperation, placeOfSocket } from '@busbar/ocpp';
import { route } from '../route';
import { chargerParamsSchema, paramsSchema, recordSchema, string } from '../schemas/values';

const timeoutSchemas = { timeoutS: commandTimeoutSchema } as const;

/** Spread into the definition of a command's route. */
const commandParts = {
  method: 'POST',
  tag: 'Commands',
  permission: 'chargers:operate',
  query: { type: 'object', properties: timeoutSchemas, additionalProperties: false },
  response: recordSchema('CommandStatus', "The charger's response.", {
    status: field(string, "The charger's status, as OCPP names it. `Rejected` is a response with 200.", 'Accepted'),
  }),
  errors: COMMAND_ERRORS,
} as const;

export function commandRoutes(deps: CommandDeps): readonly Route<ApiKey>[] {
  return [startRoute(deps), stopRoute(deps), rebootRoute(deps), unlockRoute(deps), changeConfigurationRoute(deps)];
}

const startRoute = (deps: CommandDeps) =>
  route({
    ...commandParts,
    path: '/charger/start/:chargerId/:socketId/:rfidTag',
    operationId: 'startCharging',
    summary: 'Start a transaction',
    description: 'The transaction begins, and can be found, when the charger reports its start.',
    params: paramsSchema({ chargerId: chargerIdSchema, socketId: socketIdSchema, rfidTag: rfidTagSchema }),
    query: {
      type: 'object',
      properties: {
        action: {
          type: 'string',
          enum: ['validateRfId'],
          description: [
            'Rejects a tag that is unknown, not valid yet or in use. Without it the command authorizes the transaction.',
            'A blocked or expired tag is always rejected. Nothing is sent to the charger then.',
          ].join(' '),
        },
        ...timeoutSchemas,
      },
      additionalProperties: false,
    },
    errors: [...COMMAND_ERRORS, ...TAG_ERRORS],
    async handler(call) {
      const { socketId, rfidTag } = call.params;
      const evseId = placeOfSocket(socketId)?.evseId;
      const input = { socketId, evseId, rfidTag, validateRfid: call.query.action === 'validateRfId' };
      const command = commandOf(deps, call, encodeOperation('startCharging', { socketId, rfidTag }));
      return statusOf(await startCharging(deps, ownerOf(call), input, command));
    },
  });

const stopRoute = (deps: CommandDeps) =>
  route({
    ...commandParts,
    path: '/charger/stop/:chargerId/:transactionId',
    operationId: 'stopTransaction',
    summary: 'Stop a transaction',
    description: 'The transaction ends when the charger reports its stop.',
    params: paramsSchema({ chargerId: chargerIdSchema, transactionId: transactionIdSchema }),
    errors: [...COMMAND_ERRORS, 'transaction_ended'],
    async handler(call) {
      const { transactionId } = call.params;
      const command = commandOf(deps, call, encodeOperation('stopTransaction', { transactionId }));
      return statusOf(await stopTransaction(deps, ownerOf(call), transactionId, command));
    },
  });

const rebootRoute = (deps: CommandDeps) =>
  route({
    ...commandParts,
    path: '/charger/reboot/:chargerId',
    operationId: 'resetCharger',
    summary: 'Restart a charger',
    description: 'It disconnects, and connects again after its restart.',
    params: chargerParamsSchema,
    body: {
      title: 'RebootInput',
      type: 'object',
      description: 'The kind of restart.',
      properties: {
        type: field(
          { type: 'string', enum: ['Soft', 'Hard'] },
          'Soft ends transactions before the restart. Hard may not.',
        ),
      },
      required: ['type'],
      examples: [{ type: 'Soft' }],
    },
    handler: (call) => send(deps, call, encodeOperation('reset', { type: call.body.type })),
  });

const unlockRoute = (deps: CommandDeps) =>
  route({
    ...commandParts,
    path: '/charger/unlock/:chargerId/:socketId',
    operationId: 'unlockSocket',
    summary: 'Unlock the cable of a socket',
    description: 'For a cable that is stuck. A transaction in progress at the socket may end.',
    params: paramsSchema({ chargerId: chargerIdSchema, socketId: socketIdSchema }),
    handler: (call) => send(deps, call, encodeOperation('unlock', { socketId: call.params.socketId })),
  });

const changeConfigurationRoute = (deps: CommandDeps) =>
  route({
    ...commandParts,
    path: '/charger/changeConfig/:chargerId',
    operationId: 'changeConfiguration',
    summary: "Change an item of a charger's configuration",
    description: "The stored configuration follows the charger's response.",
    params: chargerParamsSchema,
    body: {
      title: 'ConfigurationChange',
      type: 'object',
      description: 'A configuration key with its new value.',
      properties: {
        configName: configNameSchema,
        configValue: configValueSchema,
      },
      required: ['configName', 'configValue'],
      examples: [{ configName: 'HeartbeatInterval', configValue: '600' }],
    },
    // Too many key changes of the charger are pending.
    errors: [...COMMAND_ERRORS, 'conflict'],
    handler(call) {
      const { configName, configValue } = call.body;
      return send(deps, call, encodeOperation('changeConfiguration', { configName, configValue }));
    },
  });

interface ChargerStatus {
  readonly status: string;
}

async function send(deps: CommandDeps, call: CommandRequest, encode: Encode<ChargerStatus>): Promise<ChargerStatus> {
  return statusOf(await callCharger(deps, ownerOf(call), commandOf(deps, call, encode)));
}

/** Responses of this API have no `commandId`. */
function statusOf({ status }: ChargerStatus): ChargerStatus {
  return { status };
}
