import { COMMAND_ERRORS, commandOf, ownerOf, transactionIdSchema, type CommandDeps } from '@busbar/api';
import { readTransactionStatus } from '@busbar/domain/commands';
import { field } from '@busbar/http';
import { encodeOperation } from '@busbar/ocpp';
import { route } from '../../route';
import { boolean } from '../../schemas/values';
import { answerSchema, commandParts } from './command';

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
