// What a charger of OCPP 2.x is asked and sent about a session.
import {
  COMMAND_ERRORS,
  commandOf,
  ownerOf,
  transactionIdSchema,
  type CommandDeps,
  type CommandRequest,
} from '@busbar/api';
import { callAboutSession, readTransactionStatus, type ChargerCommand } from '@busbar/domain/commands';
import { field } from '@busbar/http';
import { encodeOperation } from '@busbar/ocpp';
import { route } from '../../route';
import { sessionParamsSchema } from '../../schemas/session';
import { boolean, common, number, recordSchema } from '../../schemas/values';
import { answerSchema, commandedSchemas, commandParts, statusSchema } from './command';

export const transactionStatusRoute = (deps: CommandDeps) =>
  route({
    ...commandParts,
    path: '/chargers/:chargerId/transaction-status',
    operationId: 'readTransactionStatus',
    summary: 'Ask a charger about a session',
    description:
      'Whether it continues at the charger, and whether messages about it wait there. OCPP 1.6, and a session that began in it: 409 `not_supported_by_version`.',
    body: {
      title: 'TransactionStatusInput',
      type: 'object',
      description: 'The session. Default: whether messages of any session wait.',
      properties: { transactionId: transactionIdSchema },
      additionalProperties: false,
      examples: [{ transactionId: 1 }],
    },
    response: answerSchema('TransactionStatus', "The charger's response.", {
      ongoing: field({ type: ['boolean', 'null'] }, 'Whether the session continues. Null: no session was named.', true),
      messagesInQueue: field(boolean, 'Whether messages wait at the charger to be sent.', false),
    }),
    errors: COMMAND_ERRORS,
    async handler(call) {
      const { transactionId } = call.body;
      const input = transactionId === undefined ? {} : { transactionId };
      const command = commandOf(deps, call, encodeOperation('getTransactionStatus', input));
      const answer = await readTransactionStatus(deps, ownerOf(call), transactionId, command);
      return { chargerId: call.params.chargerId, ...answer };
    },
  });

export const updateCostRoute = (deps: CommandDeps) =>
  route({
    ...commandParts,
    path: '/sessions/:transactionId/cost',
    operationId: 'updateSessionCost',
    summary: 'Show the cost of a session at its charger',
    description: [
      'The charger gets the total cost so far by CostUpdated, in the currency that its configuration has, and shows it to the driver. Its response has no status: `Accepted` says that it came.',
      'OCPP 1.6, and a session that began in it: 409 `not_supported_by_version`.',
    ].join(' '),
    params: sessionParamsSchema,
    body: {
      ...recordSchema('SessionCostInput', 'The cost.', {
        totalCost: field({ ...number, minimum: -1e9, maximum: 1e9 }, 'Total cost so far, taxes included.', 12.5),
      }),
      examples: [{ totalCost: 12.5 }],
    },
    response: recordSchema('SessionCostUpdated', "The charger's response.", {
      transactionId: common.transactionId,
      status: statusSchema,
      ...commandedSchemas,
    }),
    errors: COMMAND_ERRORS.filter((code) => code !== 'invalid_charger_id'),
    async handler(call) {
      const { transactionId } = call.params;
      const { totalCost } = call.body;
      const command = commandOf(deps, call, encodeOperation('updateCost', { transactionId, totalCost }));
      return aboutSession(deps, call, command);
    },
  });

export const priorityChargingRoute = (deps: CommandDeps) =>
  route({
    ...commandParts,
    path: '/sessions/:transactionId/priority-charging',
    operationId: 'usePriorityCharging',
    summary: 'Let a session charge with priority',
    description: [
      'The charger uses its profile for priority charging for the session, or ends that. Its own words are responses with 200, such as `NoProfile`.',
      'OCPP 1.6 and 2.0.1, and a session that began in 1.6: 409 `not_supported_by_version`.',
    ].join(' '),
    params: sessionParamsSchema,
    body: {
      ...recordSchema('PriorityChargingInput', 'Whether to charge with priority.', {
        activate: field(boolean, 'True begins it, false ends it.', true),
      }),
      examples: [{ activate: true }],
    },
    response: recordSchema('PriorityChargingUsed', "The charger's response.", {
      transactionId: common.transactionId,
      status: statusSchema,
      ...commandedSchemas,
    }),
    errors: COMMAND_ERRORS.filter((code) => code !== 'invalid_charger_id'),
    handler(call) {
      const input = { transactionId: call.params.transactionId, activate: call.body.activate };
      return aboutSession(deps, call, commandOf(deps, call, encodeOperation('usePriorityCharging', input)));
    },
  });

type SessionCall = Pick<CommandRequest, 'auth'> & { readonly params: { readonly transactionId: number } };

async function aboutSession(
  deps: CommandDeps,
  { auth: { clientId }, params: { transactionId } }: SessionCall,
  command: ChargerCommand<{ readonly status: string }>,
) {
  const { status, commandId } = await callAboutSession(deps, { clientId, transactionId }, command);
  return { transactionId, status, commandId };
}
