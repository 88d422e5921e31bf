import { chargerIdSchema, newRequestId, rfidTagSchema, socketIdSchema, type CommandDeps } from '@busbar/api';
import { storedTagOf } from '@busbar/domain/commands';
import { field } from '@busbar/http';
import { encodeOperation } from '@busbar/ocpp';
import { route } from '../../route';
import { integer, paramsSchema, recordSchema, timestampSchema } from '../../schemas/values';
import { answerSchema, commandParts, send, statusSchema } from './command';

const reservationIdSchema = {
  type: 'integer',
  minimum: 1,
  maximum: 2_147_483_647,
  description: 'Number of the reservation.',
  examples: [17],
} as const;

const reservationStatusSchema = answerSchema('ReservationStatus', "The charger's response.", {
  reservationId: field(integer, 'Number of the reservation.', 17),
  status: statusSchema,
});

export const reserveRoute = (deps: CommandDeps) =>
  route({
    ...commandParts,
    path: '/chargers/:chargerId/reservations',
    operationId: 'reserveSocket',
    summary: 'Reserve a socket for a tag',
    description: 'Until it expires, only the tag, or one with the same parent, can charge there.',
    body: {
      ...recordSchema(
        'ReservationInput',
        'The socket, the tag and the end of the reservation.',
        { rfidTag: rfidTagSchema, expiresAt: field(timestampSchema, 'When it expires.') },
        {
          socketId: { ...socketIdSchema, description: 'Default: any socket, where the charger supports that.' },
          parentRfidTag: field(rfidTagSchema, 'A group of tags that may use it too.'),
          connectorType: field(
            { type: 'string', minLength: 1, maxLength: 20 },
            'Any socket with this type of connector (OCPP 2.x), as OCPP names it.',
            'cCCS2',
          ),
          reservationId: {
            ...reservationIdSchema,
            description: 'The reservation to replace. Default: a new one.',
          },
        },
      ),
      examples: [{ socketId: 1, rfidTag: '04E91C5A123B80', expiresAt: '2035-01-01T00:00:00.000Z', reservationId: 17 }],
    },
    response: reservationStatusSchema,
    async handler(call) {
      const { reservationId = newRequestId(), ...wanted } = call.body;
      const encode = encodeOperation('reserve', { ...wanted, reservationId });
      const stored = storedTagOf(deps, wanted.rfidTag);
      return { ...(await send(deps, call, encode, { stored })), reservationId };
    },
  });

export const cancelReservationRoute = (deps: CommandDeps) =>
  route({
    ...commandParts,
    method: 'DELETE',
    path: '/chargers/:chargerId/reservations/:reservationId',
    operationId: 'cancelReservation',
    summary: 'Cancel a reservation',
    description: 'Cancels a reservation at the charger.',
    params: paramsSchema({ chargerId: chargerIdSchema, reservationId: reservationIdSchema }),
    response: reservationStatusSchema,
    async handler(call) {
      const { reservationId } = call.params;
      return { ...(await send(deps, call, encodeOperation('cancelReservation', { reservationId }))), reservationId };
    },
  });
