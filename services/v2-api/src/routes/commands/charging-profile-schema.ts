// Charging profiles as in OCPP 1.6 clause 7.8, with several schedules as in OCPP 2.0.1, K01, and dynamic ones as in OCPP 2.1, K28.
import { transactionIdSchema } from '@busbar/api';
import { field } from '@busbar/http';
import { recordSchema, timestampSchema } from '../../schemas/values';

export const chargingRateUnitSchema = field(
  { type: 'string', enum: ['A', 'W'] },
  'Unit of limits: A of each phase, or W.',
);

export const chargingProfilePurposeSchema = field(
  { type: 'string', enum: ['ChargePointMaxProfile', 'TxDefaultProfile', 'TxProfile', 'PriorityCharging'] },
  'Purpose: a limit of the whole charger, of sessions by default, of one session, or of sessions that charge with priority (`PriorityCharging`, OCPP 2.1).',
);

export const stackLevelSchema = field(
  { type: 'integer', minimum: 0, maximum: 1_000 },
  'Precedence among profiles of the same purpose: the highest applies.',
);

export const profileIdSchema = field(
  { type: 'integer', minimum: 0, maximum: 2_147_483_647 },
  'Number of the profile at the charger. A profile with the same number is replaced.',
);

const MAX_PERIODS: number = 500;
/** OCPP 2.0.1, ChargingProfileType. */
const MAX_SCHEDULES: number = 3;

const periodSchema = recordSchema(
  'ChargingSchedulePeriod',
  'A period of the schedule. It ends when the next one begins.',
  {
    startPeriod: field({ type: 'integer', minimum: 0 }, 'Begin, in seconds from the start of the schedule.'),
    limit: field({ type: 'number', minimum: 0, multipleOf: 0.1 }, 'Limit in the unit of the schedule.'),
  },
  { numberPhases: field({ type: 'integer', minimum: 1, maximum: 3 }, 'Number of phases. Default 3.') },
);

const scheduleSchema = recordSchema(
  'ChargingSchedule',
  'Limits over time.',
  {
    chargingRateUnit: chargingRateUnitSchema,
    chargingSchedulePeriod: field(
      { type: 'array', minItems: 1, maxItems: MAX_PERIODS, items: periodSchema },
      'The periods in ascending order; the first begins at 0.',
    ),
  },
  {
    duration: field({ type: 'integer', minimum: 0 }, 'Duration in seconds. Default: until the end of the session.'),
    startSchedule: field(timestampSchema, 'Start of an absolute or recurring schedule.'),
    minChargingRate: field(
      { type: 'number', minimum: 0, multipleOf: 0.1 },
      'Rate in the unit of the schedule, below which charging is inefficient.',
    ),
  },
);

export const chargingProfileSchema = recordSchema(
  'ChargingProfile',
  'A charging profile, in the terms of OCPP 1.6.',
  {
    chargingProfileId: profileIdSchema,
    stackLevel: stackLevelSchema,
    chargingProfilePurpose: chargingProfilePurposeSchema,
    chargingProfileKind: field(
      { type: 'string', enum: ['Absolute', 'Recurring', 'Relative', 'Dynamic'] },
      'Whether the schedule starts at a timestamp, recurs, starts with the session, or has limits that updates replace (`Dynamic`, OCPP 2.1).',
    ),
    chargingSchedule: field(
      {
        anyOf: [scheduleSchema, { type: 'array', minItems: 1, maxItems: MAX_SCHEDULES, items: scheduleSchema }],
      },
      'The schedule. A list of up to three for a charger of OCPP 2.x, which chooses one of them.',
    ),
  },
  {
    transactionId: field(transactionIdSchema, 'The session of a TxProfile.'),
    recurrencyKind: field({ type: 'string', enum: ['Daily', 'Weekly'] }, 'How often a recurring schedule starts.'),
    validFrom: field(timestampSchema, 'Before it the profile does not apply.'),
    validTo: field(timestampSchema, 'From then on the profile does not apply.'),
    dynUpdateInterval: field(
      { type: 'integer', minimum: 0, maximum: 2_147_483_647 },
      'Of a dynamic profile: seconds after an update when the charger asks for the next. Default 0: it asks for none. OCPP 2.1.',
    ),
    dynUpdateTime: field(timestampSchema, 'Of a dynamic profile: when its limits were updated last. OCPP 2.1.'),
  },
);

const MAX_POWER = 1e9;
const anyPower = { type: 'number', minimum: -MAX_POWER, maximum: MAX_POWER } as const;
const consumed = { ...anyPower, minimum: 0 } as const;
const discharged = { ...anyPower, maximum: 0 } as const;

/** As in OCPP 2.1, ChargingScheduleUpdateType. */
export const scheduleUpdateSchema = {
  title: 'DynamicScheduleInput',
  type: 'object',
  description:
    'What changes, at least one field, in the unit of the schedule. A field without a phase is of all phases, or of the first.',
  properties: {
    limit: field(consumed, 'Limit of charging.', 16),
    limit_L2: field(consumed, 'Limit of charging on phase 2.'),
    limit_L3: field(consumed, 'Limit of charging on phase 3.'),
    dischargeLimit: field(discharged, 'Limit of discharging, not above 0.', -10),
    dischargeLimit_L2: field(discharged, 'Limit of discharging on phase 2.'),
    dischargeLimit_L3: field(discharged, 'Limit of discharging on phase 3.'),
    setpoint: field(anyPower, 'Setpoint: positive for charging, negative for discharging.', 8),
    setpoint_L2: field(anyPower, 'Setpoint on phase 2.'),
    setpoint_L3: field(anyPower, 'Setpoint on phase 3.'),
    setpointReactive: field(anyPower, 'Setpoint of reactive power or current.'),
    setpointReactive_L2: field(anyPower, 'Setpoint of reactive power or current on phase 2.'),
    setpointReactive_L3: field(anyPower, 'Setpoint of reactive power or current on phase 3.'),
  },
  additionalProperties: false,
  examples: [{ limit: 16 }],
} as const;
