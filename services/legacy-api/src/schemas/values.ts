// Parts that several schemas of this API are made of.
import { CHARGER_ID_PATTERN, INPUT_LIMITS, NOT_BLANK_PATTERN } from '@busbar/domain';

export const nameSchema = {
  type: 'string',
  minLength: 1,
  maxLength: INPUT_LIMITS.name,
  pattern: NOT_BLANK_PATTERN,
} as const;

export const textSchema = { type: 'string', maxLength: INPUT_LIMITS.text } as const;

export const chargerIdSchema = {
  type: 'string',
  pattern: CHARGER_ID_PATTERN,
  description: 'Unique across the whole service; the identifier that the charger itself is configured with.',
  'x-error-code': 'invalid_charger_id',
} as const;

/** A group is the newer generation's site; a site that is refused is `invalid_group_id` here. */
export const groupIdSchema = {
  type: 'integer',
  minimum: 1,
  // Larger ones lose digits on their way through JSON.
  maximum: Number.MAX_SAFE_INTEGER,
  'x-error-code': 'invalid_site_id',
} as const;

export const chargerParamsSchema = {
  type: 'object',
  properties: { chargerId: chargerIdSchema },
  required: ['chargerId'],
  additionalProperties: false,
} as const;

export const groupParamsSchema = {
  type: 'object',
  properties: { groupId: groupIdSchema },
  required: ['groupId'],
  additionalProperties: false,
} as const;

export const chargerIdAnswerSchema = {
  title: 'ChargerId',
  type: 'object',
  properties: { chargerId: { type: 'string' } },
  required: ['chargerId'],
  additionalProperties: false,
} as const;

export const groupIdAnswerSchema = {
  title: 'GroupId',
  type: 'object',
  properties: { id: { type: 'integer' } },
  required: ['id'],
  additionalProperties: false,
} as const;
