import { socketIdSchema, type CommandDeps } from '@busbar/api';
import { encodeOperation } from '@busbar/ocpp';
import { route } from '../../route';
import { recordSchema } from '../../schemas/values';
import {
  chargingProfilePurposeSchema,
  chargingProfileSchema,
  chargingRateUnitSchema,
  stackLevelSchema,
} from './charging-profile-schema';
import { chargerStatusSchema, commandedSchemas, commandParts, send, statusSchema, timeoutQuerySchema } from './command';

const path = '/chargers/:chargerId/charging-profile';

/** 0 is the charger as a whole. */
const anySocketSchema = {
  ...socketIdSchema,
  minimum: 0,
  description: 'Default 0: the charger as a whole.',
} as const;

export const setChargingProfileRoute = (deps: CommandDeps) =>
  route({
    ...commandParts,
    path,
    summary: 'Set a charging profile',
    body: {
      title: 'ChargingProfileInput',
      type: 'object',
      properties: { socketId: anySocketSchema, chargingProfile: chargingProfileSchema },
      required: ['chargingProfile'],
      additionalProperties: false,
      examples: [
        {
          socketId: 1,
          chargingProfile: {
            chargingProfileId: 1,
            stackLevel: 0,
            chargingProfilePurpose: 'TxDefaultProfile',
            chargingProfileKind: 'Relative',
            chargingSchedule: {
              chargingRateUnit: 'A',
              chargingSchedulePeriod: [{ startPeriod: 0, limit: 16 }],
            },
          },
        },
      ],
    },
    response: chargerStatusSchema,
    handler: (call) => send(deps, call, encodeOperation('setChargingProfile', call.body)),
  });

export const clearChargingProfileRoute = (deps: CommandDeps) =>
  route({
    ...commandParts,
    method: 'DELETE',
    path,
    summary: 'Clear charging profiles',
    description: 'Clears the profiles that match all parameters; without parameters, all profiles.',
    query: {
      ...timeoutQuerySchema,
      properties: {
        chargingProfileId: { type: 'integer', minimum: 0, maximum: 2_147_483_647 },
        socketId: { ...anySocketSchema, description: '0: profiles of the charger as a whole.' },
        chargingProfilePurpose: chargingProfilePurposeSchema,
        stackLevel: stackLevelSchema,
        ...timeoutQuerySchema.properties,
      },
    },
    response: chargerStatusSchema,
    handler: (call) => send(deps, call, encodeOperation('clearChargingProfile', call.query)),
  });

export const compositeScheduleRoute = (deps: CommandDeps) =>
  route({
    ...commandParts,
    path: '/chargers/:chargerId/composite-schedule',
    summary: 'Request the composite schedule',
    description: 'The charger computes it from all its charging profiles.',
    body: {
      title: 'CompositeScheduleInput',
      type: 'object',
      properties: {
        socketId: anySocketSchema,
        durationS: { type: 'integer', minimum: 1, maximum: 31_536_000, description: 'Seconds from now.' },
        chargingRateUnit: chargingRateUnitSchema,
      },
      required: ['durationS'],
      additionalProperties: false,
      examples: [{ socketId: 1, durationS: 3600, chargingRateUnit: 'A' }],
    },
    response: recordSchema('CompositeSchedule', {
      chargerId: { type: 'string' },
      status: statusSchema,
      socketId: { type: ['integer', 'null'] },
      scheduleStart: { type: ['string', 'null'] },
      chargingSchedule: { type: ['object', 'null'], description: 'As the charger sent it.' },
      ...commandedSchemas,
    }),
    handler: (call) => send(deps, call, encodeOperation('getCompositeSchedule', call.body)),
  });
