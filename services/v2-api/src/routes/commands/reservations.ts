import { newRequestId, rfidTagSchema, socketIdSchema, type CommandDeps } from '@busbar/api';
import { encodeOperation } from '@busbar/ocpp';
import { route } from '../../route';
import { chargerParamsSchema, timestampSchema, recordSchema } from '../../schemas/values';
import { commandedSchemas, commandParts, send, statusSchema } from './command';

const reservationIdSchema = { type: 'integer', minimum: 1, maximum: 2_147_483_647 } as const;

const reservationStatusSchema = recordSchema('ReservationStatus', {
  chargerId: { type: 'string' },
  reservationId: { type: 'integer' },
  status: statusSchema,
  ...commandedSchemas,
});

export const reserveRoute = (deps: CommandDeps) =>
  route({
    ...commandParts,
    path: '/chargers/:chargerId/reservations',
    summary: 'Reserve a socket for a tag',
    body: {
      title: 'ReservationInput',
      type: 'object',
      properties: {
        socketId: { ...socketIdSchema, description: 'Default: any socket, where the charger supports that.' },
        rfidTag: rfidTagSchema,
        parentRfidTag: rfidTagSchema,
        expiresAt: timestampSchema,
        reservationId: {
          ...reservationIdSchema,
          description: 'The reservation to replace. Default: a new one.',
        },
      },
      required: ['rfidTag', 'expiresAt'],
      additionalProperties: false,
      examples: [{ socketId: 1, rfidTag: '04E91C5A123B80', expiresAt: '2026-01-31T12:30:00.000Z' }],
    },
    response: reservationStatusSchema,
    async handler(call) {
      const { reservationId = newRequestId(), ...wanted } = call.body;
      return { ...(await send(deps, call, encodeOperation('reserve', { ...wanted, reservationId }))), reservationId };
    },
  });

export const cancelReservationRoute = (deps: CommandDeps) =>
  route({
    ...commandParts,
    method: 'DELETE',
    path: '/chargers/:chargerId/reservations/:reservationId',
    summary: 'Cancel a reservation',
    params: {
      ...chargerParamsSchema,
      properties: { ...chargerParamsSchema.properties, reservationId: reservationIdSchema },
      required: ['chargerId', 'reservationId'],
    },
    response: reservationStatusSchema,
    async handler(call) {
      const { reservationId } = call.params;
      return { ...(await send(deps, call, encodeOperation('cancelReservation', { reservationId }))), reservationId };
    },
  });
