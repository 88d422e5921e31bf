// Charging profiles that a charger has, and limits that others set there.
import { field, pageQuerySchema, pageSchemaWith, withProperties } from '@busbar/http';
import { timeoutQuerySchema } from '../routes/commands/command';
import { profileIdSchema, stackLevelSchema } from '../routes/commands/charging-profile-schema';
import { commandIdSchema } from './device-state';
import { boolean, integer, nullableInteger, nullableString, recordSchema, string, timestampSchema } from './values';

/** What OCPP 2.1 carries. */
const MAX_SOURCE = 20;
const MAX_PURPOSE = 50;

export const profileQuerySchema = withProperties(
  pageQuerySchema(['setAt', 'stackLevel'], 'oldest first', 'a part of the purpose'),
  {
    socketId: field(
      { type: 'integer', minimum: 0, maximum: 9_999 },
      'Only profiles of this socket. 0: of the whole charger.',
    ),
    chargingProfilePurpose: field(
      { type: 'string', minLength: 1, maxLength: MAX_PURPOSE },
      'Only profiles with this purpose.',
    ),
    stackLevel: field(stackLevelSchema, 'Only profiles of this level.'),
    chargingProfileId: field(
      { type: 'array', maxItems: 100, items: profileIdSchema },
      'Only profiles with these numbers.',
    ),
    chargingLimitSource: field(
      { type: 'array', maxItems: 4, items: { type: 'string', minLength: 1, maxLength: MAX_SOURCE } },
      'Only profiles of these sources.',
    ),
    refresh: field(
      boolean,
      'Requests these profiles from the charger now, and waits for its report. OCPP 2.x. Default false.',
    ),
    ...timeoutQuerySchema.properties,
  },
);

const sourceSchema = field(string, 'Who set it, as OCPP names it. `CSO`: the operator, which is this service.', 'CSO');

const profileSchema = recordSchema(
  'InstalledChargingProfile',
  'A charging profile that the charger accepted or reported.',
  {
    chargingProfileId: field(integer, 'Number of the profile.', 1),
    socketId: field(nullableInteger, 'Number of the socket. Null: the whole charger.', 1),
    chargingProfilePurpose: field(string, 'Purpose, as OCPP names it.', 'TxDefaultProfile'),
    stackLevel: field(integer, 'Precedence among profiles of the same purpose: the highest applies.', 0),
    source: sourceSchema,
    transactionId: field(nullableInteger, 'The transaction of the profile. Null: not for one transaction.', null),
    setAt: field(timestampSchema, 'When the charger accepted it, or reported it first.'),
    commandId: commandIdSchema,
    chargingProfile: field(
      { type: 'object', additionalProperties: true },
      'The profile as sent to the charger, or as it reported it.',
      {
        chargingProfileId: 1,
        stackLevel: 0,
        chargingProfilePurpose: 'TxDefaultProfile',
        chargingProfileKind: 'Relative',
        chargingSchedule: { chargingRateUnit: 'A', chargingSchedulePeriod: [{ startPeriod: 0, limit: 16 }] },
      },
    ),
    scheduleUpdate: field(
      { type: ['object', 'null'], additionalProperties: true },
      'Of a dynamic profile: the update that the charger accepted last. Null: none. OCPP 2.1.',
      null,
    ),
  },
);

const limitSchema = recordSchema('ExternalChargingLimit', 'A limit that the charger reported and has not cleared.', {
  source: field(string, 'Who set it, as OCPP names it.', 'EMS'),
  socketId: field(nullableInteger, 'Number of the socket. Null: the whole charger.', null),
  at: field(timestampSchema, 'When the charger reported it.'),
  isGridCritical: field(boolean, 'Whether the limit is critical for the grid.', false),
  isLocalGeneration: field(boolean, 'Whether the limit is of local generation. OCPP 2.1.', false),
  chargingSchedule: field(
    { type: 'array', items: { type: 'object', additionalProperties: true } },
    'The schedules of the limit, as the charger reported them. Empty: it gave none, or more than is stored.',
    [{ id: 1, chargingRateUnit: 'A', chargingSchedulePeriod: [{ startPeriod: 0, limit: 10 }] }],
  ),
});

export const profilePageSchema = {
  ...pageSchemaWith('InstalledChargingProfilePage', profileSchema, {
    externalLimits: field(
      { type: 'array', items: limitSchema },
      'Limits that others set at the charger, whatever the filters. OCPP 2.x.',
      [],
    ),
    status: field(
      nullableString,
      "The charger's status: with `Accepted` the list is what it reported; `NoProfiles`: it has none. Null: without `refresh=true`.",
      null,
    ),
    commandId: field(
      nullableString,
      'The id of the stored command. Null: without `refresh=true`, or where the charger was sending the report already.',
      null,
    ),
  }),
  description: "The charger's charging profiles, paged.",
} as const;
