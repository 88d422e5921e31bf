import { chargerIdSchema, paramsSchema, socketIdSchema, type CommandDeps } from '@busbar/api';
import { deviceTransactionOf } from '@busbar/domain/commands';
import { field } from '@busbar/http';
import { encodeOperation, isSameEvse } from '@busbar/ocpp';
import { route } from '../../route';
import { integer, nullableInteger, nullableString, recordSchema } from '../../schemas/values';
import {
  chargingProfilePurposeSchema,
  chargingProfileSchema,
  chargingRateUnitSchema,
  profileIdSchema,
  scheduleUpdateSchema,
  stackLevelSchema,
} from './charging-profile-schema';
import {
  chargerStatusSchema,
  answerSchema,
  commandParts,
  nothingGiven,
  send,
  statusSchema,
  timeoutQuerySchema,
} from './command';

const path = '/chargers/:chargerId/charging-profile';

/** 0 is the charger as a whole. */
const anySocketSchema = field(
  { ...socketIdSchema, minimum: 0 },
  'Number of the socket. Default 0: the charger as a whole.',
);

export const setChargingProfileRoute = (deps: CommandDeps) =>
  route({
    ...commandParts,
    path,
    operationId: 'setChargingProfile',
    summary: 'Set a charging profile',
    description: [
      'Replaces a profile with the same number, or with the same purpose, level and socket.',
      'OCPP 2.1 alone carries the purpose `PriorityCharging`, of sessions for which `POST /sessions/{transactionId}/priority-charging` was accepted, and the kind `Dynamic`, whose limits `POST …/charging-profiles/{chargingProfileId}/schedule` updates; other versions get 400. Its operation modes other than a limit are in `POST …/calls`.',
    ].join(' '),
    body: {
      ...recordSchema(
        'ChargingProfileInput',
        'A charging profile and its socket.',
        { chargingProfile: chargingProfileSchema },
        { socketId: anySocketSchema },
      ),
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
    handler(call) {
      const { socketId = 0, chargingProfile } = call.body;
      const { transactionId } = chargingProfile;
      // In OCPP 2.x a profile is for an EVSE, and its transaction may be at another connector of it.
      const stored = deviceTransactionOf({ transactionId, isAt: (other) => isSameEvse(socketId, other) });
      return send(deps, call, encodeOperation('setChargingProfile', call.body), { stored });
    },
  });

export const clearChargingProfileRoute = (deps: CommandDeps) =>
  route({
    ...commandParts,
    method: 'DELETE',
    path,
    operationId: 'clearChargingProfiles',
    summary: 'Clear charging profiles',
    description: 'Clears the profiles that match all parameters; without parameters, all profiles.',
    query: {
      ...timeoutQuerySchema,
      properties: {
        chargingProfileId: field(profileIdSchema, 'The profile with this number.'),
        socketId: field(anySocketSchema, 'Profiles of this socket. 0: profiles of the charger as a whole.'),
        chargingProfilePurpose: field(chargingProfilePurposeSchema, 'Profiles with this purpose.'),
        stackLevel: field(stackLevelSchema, 'Profiles of this level.'),
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
    operationId: 'requestCompositeSchedule',
    summary: 'Request the composite schedule',
    description: 'The charger computes it from all its charging profiles.',
    body: {
      ...recordSchema(
        'CompositeScheduleInput',
        'The socket and period of the schedule.',
        { durationS: field({ type: 'integer', minimum: 1, maximum: 31_536_000 }, 'Seconds from now.') },
        { socketId: anySocketSchema, chargingRateUnit: chargingRateUnitSchema },
      ),
      examples: [{ socketId: 1, durationS: 3600, chargingRateUnit: 'A' }],
    },
    response: answerSchema('CompositeSchedule', 'The schedule that the charger computed.', {
      status: statusSchema,
      socketId: field(nullableInteger, 'Number of the socket. Null: the charger sent none.', 1),
      scheduleStart: field(
        nullableString,
        'Start of the schedule. Null: the charger sent none.',
        '2026-01-31T12:00:00Z',
      ),
      chargingSchedule: field({ type: ['object', 'null'] }, 'As the charger sent it. Null: it sent none.', {
        duration: 3600,
        chargingRateUnit: 'A',
        chargingSchedulePeriod: [{ startPeriod: 0, limit: 16 }],
      }),
    }),
    handler: (call) => send(deps, call, encodeOperation('getCompositeSchedule', call.body)),
  });

export const updateScheduleRoute = (deps: CommandDeps) =>
  route({
    ...commandParts,
    path: '/chargers/:chargerId/charging-profiles/:chargingProfileId/schedule',
    operationId: 'updateDynamicSchedule',
    summary: 'Update a dynamic charging profile',
    description: [
      'Changes limits and setpoints of a profile of the kind `Dynamic`, which are in force at once. `Rejected` is a response with 200, such as for a profile of another kind.',
      'The update that the charger accepted last is with the profile: `GET …/charging-profiles`. OCPP 1.6 and 2.0.1 have none: 409 `not_supported_by_version`.',
    ].join(' '),
    params: paramsSchema({
      chargerId: chargerIdSchema,
      chargingProfileId: { ...profileIdSchema, description: 'Number of the profile at the charger.', examples: [1] },
    }),
    body: scheduleUpdateSchema,
    response: answerSchema('DynamicScheduleUpdated', "The charger's response.", {
      chargingProfileId: field(integer, 'Number of the profile.', 1),
      status: statusSchema,
    }),
    async handler(call) {
      const { chargingProfileId } = call.params;
      if (Object.keys(call.body).length === 0)
        throw nothingGiven('The body changes nothing.', 'limit', 'another field');
      const encode = encodeOperation('updateDynamicSchedule', { ...call.body, chargingProfileId });
      return { ...(await send(deps, call, encode)), chargingProfileId };
    },
  });
