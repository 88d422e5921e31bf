// Charging profiles as in OCPP 1.6 clause 7.8.
import { transactionIdSchema } from '@busbar/api';
import { timestampSchema } from '../../schemas/values';

const rateUnitSchema = { type: 'string', enum: ['A', 'W'] } as const;

export const chargingRateUnitSchema = rateUnitSchema;

export const chargingProfilePurposeSchema = {
  type: 'string',
  enum: ['ChargePointMaxProfile', 'TxDefaultProfile', 'TxProfile'],
} as const;

export const stackLevelSchema = { type: 'integer', minimum: 0, maximum: 1_000 } as const;

const scheduleSchema = {
  title: 'ChargingSchedule',
  type: 'object',
  properties: {
    duration: { type: 'integer', minimum: 0, description: 'Seconds.' },
    startSchedule: timestampSchema,
    chargingRateUnit: rateUnitSchema,
    chargingSchedulePeriod: {
      type: 'array',
      minItems: 1,
      maxItems: 500 as number,
      items: {
        type: 'object',
        properties: {
          startPeriod: { type: 'integer', minimum: 0, description: 'Seconds from the start of the schedule.' },
          limit: { type: 'number', minimum: 0, multipleOf: 0.1, description: 'In the unit of the schedule.' },
          numberPhases: { type: 'integer', minimum: 1, maximum: 3 },
        },
        required: ['startPeriod', 'limit'],
        additionalProperties: false,
      },
    },
    minChargingRate: { type: 'number', minimum: 0, multipleOf: 0.1 },
  },
  required: ['chargingRateUnit', 'chargingSchedulePeriod'],
  additionalProperties: false,
} as const;

export const chargingProfileSchema = {
  title: 'ChargingProfile',
  type: 'object',
  properties: {
    chargingProfileId: { type: 'integer', minimum: 0, maximum: 2_147_483_647 },
    transactionId: transactionIdSchema,
    stackLevel: stackLevelSchema,
    chargingProfilePurpose: chargingProfilePurposeSchema,
    chargingProfileKind: { type: 'string', enum: ['Absolute', 'Recurring', 'Relative'] },
    recurrencyKind: { type: 'string', enum: ['Daily', 'Weekly'] },
    validFrom: timestampSchema,
    validTo: timestampSchema,
    chargingSchedule: scheduleSchema,
  },
  required: ['chargingProfileId', 'stackLevel', 'chargingProfilePurpose', 'chargingProfileKind', 'chargingSchedule'],
  additionalProperties: false,
} as const;
