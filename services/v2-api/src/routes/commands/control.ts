import { socketIdSchema, type CommandDeps } from '@busbar/api';
import { TRIGGERED_MESSAGES, encodeOperation } from '@busbar/ocpp';
import { route } from '../../route';
import { recordSchema } from '../../schemas/values';
import { chargerStatusSchema, commandedSchemas, commandParts, emptyBodySchema, send, statusSchema } from './command';

export const resetRoute = (deps: CommandDeps) =>
  route({
    ...commandParts,
    path: '/chargers/:chargerId/reset',
    summary: 'Restart a charger',
    body: {
      title: 'ResetInput',
      type: 'object',
      properties: {
        type: {
          type: 'string',
          enum: ['Soft', 'Hard'],
          description: 'Soft ends sessions before the restart. Hard may not.',
        },
      },
      required: ['type'],
      additionalProperties: false,
      examples: [{ type: 'Soft' }],
    },
    response: chargerStatusSchema,
    handler: (call) => send(deps, call, encodeOperation('reset', call.body)),
  });

export const unlockRoute = (deps: CommandDeps) =>
  route({
    ...commandParts,
    path: '/chargers/:chargerId/unlock',
    summary: 'Unlock the cable of a socket',
    body: {
      title: 'UnlockInput',
      type: 'object',
      properties: { socketId: socketIdSchema },
      required: ['socketId'],
      additionalProperties: false,
      examples: [{ socketId: 1 }],
    },
    response: chargerStatusSchema,
    handler: (call) => send(deps, call, encodeOperation('unlock', call.body)),
  });

export const availabilityRoute = (deps: CommandDeps) =>
  route({
    ...commandParts,
    path: '/chargers/:chargerId/availability',
    summary: 'Change the availability of a socket or charger',
    description: 'The charger responds `Scheduled` where a session must end first.',
    body: {
      title: 'AvailabilityInput',
      type: 'object',
      properties: {
        type: { type: 'string', enum: ['Operative', 'Inoperative'] },
        socketId: { ...socketIdSchema, description: 'Default: the charger as a whole.' },
      },
      required: ['type'],
      additionalProperties: false,
      examples: [{ type: 'Inoperative', socketId: 1 }],
    },
    response: chargerStatusSchema,
    handler: (call) => send(deps, call, encodeOperation('changeAvailability', call.body)),
  });

export const triggerMessageRoute = (deps: CommandDeps) =>
  route({
    ...commandParts,
    path: '/chargers/:chargerId/trigger-message',
    summary: 'Trigger a message of a charger',
    description: '`NotImplemented` is a response with 200.',
    body: {
      title: 'TriggerMessageInput',
      type: 'object',
      properties: {
        message: { type: 'string', enum: TRIGGERED_MESSAGES },
        socketId: { ...socketIdSchema, description: 'For messages about one socket. Default: all sockets.' },
      },
      required: ['message'],
      additionalProperties: false,
      examples: [{ message: 'StatusNotification', socketId: 1 }],
    },
    response: chargerStatusSchema,
    handler: (call) => send(deps, call, encodeOperation('triggerMessage', call.body)),
  });

export const clearCacheRoute = (deps: CommandDeps) =>
  route({
    ...commandParts,
    path: '/chargers/:chargerId/clear-cache',
    summary: "Clear a charger's authorization cache",
    body: emptyBodySchema,
    response: chargerStatusSchema,
    handler: (call) => send(deps, call, encodeOperation('clearCache', {})),
  });

export const dataTransferRoute = (deps: CommandDeps) =>
  route({
    ...commandParts,
    path: '/chargers/:chargerId/data-transfer',
    summary: 'Send a vendor-specific message',
    body: {
      title: 'DataTransferInput',
      type: 'object',
      properties: {
        vendorId: { type: 'string', minLength: 1, maxLength: 255 },
        messageId: { type: 'string', maxLength: 50 },
        data: { type: 'string', maxLength: 60_000 },
      },
      required: ['vendorId'],
      additionalProperties: false,
      examples: [{ vendorId: 'com.example', messageId: 'SetLight', data: '{"on":true}' }],
    },
    response: recordSchema('DataTransfer', {
      chargerId: { type: 'string' },
      status: statusSchema,
      data: { type: ['string', 'null'] },
      ...commandedSchemas,
    }),
    handler: (call) => send(deps, call, encodeOperation('transferData', call.body)),
  });
