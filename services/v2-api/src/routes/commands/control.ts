import { socketIdSchema, type CommandDeps } from '@busbar/api';
import { field } from '@busbar/http';
import { TRIGGERED_MESSAGES, encodeOperation } from '@busbar/ocpp';
import { route } from '../../route';
import { nullableString, recordSchema } from '../../schemas/values';
import { chargerStatusSchema, answerSchema, commandParts, emptyBodySchema, send, statusSchema } from './command';

export const resetRoute = (deps: CommandDeps) =>
  route({
    ...commandParts,
    path: '/chargers/:chargerId/reset',
    operationId: 'resetCharger',
    summary: 'Restart a charger',
    description: 'It disconnects, and connects again after its restart.',
    body: {
      ...recordSchema(
        'ResetInput',
        'The kind of restart.',
        {
          type: {
            type: 'string',
            enum: ['Soft', 'Hard', 'ImmediateAndResume'],
            description:
              'Soft ends sessions before the restart; in OCPP 2.x it waits for their end. Hard may not. ImmediateAndResume (OCPP 2.1): sessions continue after it.',
          },
        },
        {
          socketId: {
            ...socketIdSchema,
            description: 'Only the EVSE of this socket (OCPP 2.x). Default: the charger.',
          },
        },
      ),
      examples: [{ type: 'Soft' }],
    },
    response: chargerStatusSchema,
    handler: (call) => send(deps, call, encodeOperation('reset', call.body)),
  });

export const unlockRoute = (deps: CommandDeps) =>
  route({
    ...commandParts,
    path: '/chargers/:chargerId/unlock',
    operationId: 'unlockSocket',
    summary: 'Unlock the cable of a socket',
    description: 'For a cable that is stuck. A session in progress at the socket may end.',
    body: {
      ...recordSchema('UnlockInput', 'The socket to unlock.', { socketId: socketIdSchema }),
      examples: [{ socketId: 1 }],
    },
    response: chargerStatusSchema,
    handler: (call) => send(deps, call, encodeOperation('unlock', call.body)),
  });

export const availabilityRoute = (deps: CommandDeps) =>
  route({
    ...commandParts,
    path: '/chargers/:chargerId/availability',
    operationId: 'changeAvailability',
    summary: 'Change the availability of a socket or charger',
    description: 'The charger responds `Scheduled` where a session must end first.',
    body: {
      ...recordSchema(
        'AvailabilityInput',
        'The new availability.',
        {
          type: field({ type: 'string', enum: ['Operative', 'Inoperative'] }, 'Inoperative: no new session can begin.'),
        },
        {
          socketId: { ...socketIdSchema, description: 'Default: the charger as a whole.' },
          evseId: field(
            { type: 'integer', minimum: 1, maximum: 99 },
            'A whole EVSE (OCPP 2.x), instead of a socket.',
            1,
          ),
        },
      ),
      examples: [{ type: 'Inoperative', socketId: 1 }],
    },
    response: chargerStatusSchema,
    handler: (call) => send(deps, call, encodeOperation('changeAvailability', call.body)),
  });

export const triggerMessageRoute = (deps: CommandDeps) =>
  route({
    ...commandParts,
    path: '/chargers/:chargerId/trigger-message',
    operationId: 'triggerMessage',
    summary: 'Trigger a message of a charger',
    description: '`NotImplemented` is a response with 200.',
    body: {
      ...recordSchema(
        'TriggerMessageInput',
        'The message to send.',
        {
          message: field(
            { type: 'string', enum: TRIGGERED_MESSAGES },
            'The message that the charger shall send. OCPP 1.6 has those up to `StatusNotification`.',
          ),
        },
        {
          socketId: {
            ...socketIdSchema,
            description:
              'For messages about one socket. Default: all sockets. OCPP 2.x requires it for `StatusNotification`.',
          },
          customTrigger: field(
            { type: 'string', minLength: 1, maxLength: 50 },
            'What `CustomTrigger` triggers, as the vendor names it (OCPP 2.1).',
            'SelfTest',
          ),
        },
      ),
      examples: [{ message: 'StatusNotification', socketId: 1 }],
    },
    response: chargerStatusSchema,
    handler: (call) => send(deps, call, encodeOperation('triggerMessage', call.body)),
  });

export const clearCacheRoute = (deps: CommandDeps) =>
  route({
    ...commandParts,
    path: '/chargers/:chargerId/clear-cache',
    operationId: 'clearCache',
    summary: "Clear a charger's authorization cache",
    description: 'The charger then asks the service for each tag that is not on its local list.',
    body: emptyBodySchema,
    response: chargerStatusSchema,
    handler: (call) => send(deps, call, encodeOperation('clearCache', {})),
  });

/** Its size is that of the body at most. */
const dataSchema = {
  anyOf: [
    { type: 'string', maxLength: 60_000 },
    { type: 'number' },
    { type: 'boolean' },
    { type: 'object' },
    { type: 'array', items: {} },
  ],
} as const;

export const dataTransferRoute = (deps: CommandDeps) =>
  route({
    ...commandParts,
    path: '/chargers/:chargerId/data-transfer',
    operationId: 'transferData',
    summary: 'Send a vendor-specific message',
    description: 'A DataTransfer of OCPP. `UnknownVendorId` and `UnknownMessageId` are responses with 200.',
    body: {
      ...recordSchema(
        'DataTransferInput',
        'The message.',
        { vendorId: field({ type: 'string', minLength: 1, maxLength: 255 }, 'Identifies the vendor.') },
        {
          messageId: field({ type: 'string', maxLength: 50 }, 'Identifies the message of the vendor.'),
          data: field(dataSchema, 'The data, as the vendor defines it: any JSON, in OCPP 1.6 a text.', '{"on":true}'),
        },
      ),
      examples: [{ vendorId: 'com.example', messageId: 'SetLight', data: '{"on":true}' }],
    },
    response: answerSchema('DataTransfer', "The charger's response.", {
      status: statusSchema,
      data: field(nullableString, 'Data of the response. Null: none.', null),
    }),
    handler: (call) => send(deps, call, encodeOperation('transferData', call.body)),
  });
