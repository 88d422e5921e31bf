import {
  COMMAND_ERRORS,
  commandOf,
  ownerOf,
  rfidTagSchema,
  socketIdSchema,
  transactionIdSchema,
  type CommandDeps,
} from '@busbar/api';
import { startCharging, stopTransaction, TAG_ERRORS } from '@busbar/domain/commands';
import { encodeOperation, placeOfSocket } from '@busbar/ocpp';
import { route } from '../../route';
import { common, recordSchema } from '../../schemas/values';
import { chargingProfileSchema } from './charging-profile-schema';
import { answerSchema, commandedSchemas, commandParts, statusSchema } from './command';

export const startChargingRoute = (deps: CommandDeps) =>
  route({
    ...commandParts,
    path: '/chargers/:chargerId/start-charging',
    operationId: 'startCharging',
    summary: 'Start a session',
    description: 'The session begins, and can be read, when the charger reports its start.',
    body: {
      ...recordSchema(
        'StartChargingInput',
        'The socket and tag of the session.',
        { socketId: socketIdSchema, rfidTag: rfidTagSchema },
        {
          validateRfid: {
            type: 'boolean',
            description: [
              'Rejects a tag that is unknown, not valid yet or in use. Default false: the command authorizes the session.',
              'An endpoint for real-time authorization is asked about an unknown tag; 503 where it gives no verdict and its `onFailure` refuses.',
              'A blocked or expired tag is always rejected. Nothing is sent to the charger then.',
            ].join(' '),
          },
          chargingProfile: chargingProfileSchema,
        },
      ),
      examples: [{ socketId: 1, rfidTag: '04E91C5A123B80' }],
    },
    response: answerSchema('StartCharging', "The charger's response. The session begins when the charger reports it.", {
      socketId: common.socketId,
      status: statusSchema,
    }),
    errors: [...COMMAND_ERRORS, ...TAG_ERRORS],
    async handler(call) {
      const { socketId, rfidTag, validateRfid = false, chargingProfile } = call.body;
      const profile = chargingProfile === undefined ? {} : { chargingProfile };
      const command = commandOf(deps, call, encodeOperation('startCharging', { socketId, rfidTag, ...profile }));
      const input = { socketId, evseId: placeOfSocket(socketId)?.evseId, rfidTag, validateRfid };
      const { status, commandId } = await startCharging(deps, ownerOf(call), input, command);
      return { chargerId: call.params.chargerId, socketId, status, commandId };
    },
  });

export const stopTransactionRoute = (deps: CommandDeps) =>
  route({
    ...commandParts,
    path: '/chargers/:chargerId/stop-transaction',
    operationId: 'stopTransaction',
    summary: 'Stop a session',
    description: 'The session ends, and its energy can be read, when the charger reports its stop.',
    body: {
      ...recordSchema('StopTransactionInput', 'The session to stop.', { transactionId: transactionIdSchema }),
      examples: [{ transactionId: 1 }],
    },
    response: recordSchema('StopTransaction', "The charger's response. The session ends when the charger reports it.", {
      transactionId: common.transactionId,
      status: statusSchema,
      ...commandedSchemas,
    }),
    errors: [...COMMAND_ERRORS, 'transaction_ended'],
    async handler(call) {
      const { transactionId } = call.body;
      const command = commandOf(deps, call, encodeOperation('stopTransaction', { transactionId }));
      const { status, commandId } = await stopTransaction(deps, ownerOf(call), transactionId, command);
      return { transactionId, status, commandId };
    },
  });
