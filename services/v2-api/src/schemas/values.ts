// Parts that several schemas of this API are made of.
import type { JSONSchema } from 'json-schema-to-ts';
import { CHARGER_ID_PATTERN, INPUT_LIMITS, NOT_BLANK_PATTERN } from '@busbar/domain';

export const nameSchema = {
  type: 'string',
  minLength: 1,
  maxLength: INPUT_LIMITS.name,
  pattern: NOT_BLANK_PATTERN,
} as const;

export const textSchema = { type: 'string', maxLength: INPUT_LIMITS.text } as const;

export const nullableTextSchema = { type: ['string', 'null'], maxLength: INPUT_LIMITS.text } as const;

export const instantSchema = { type: 'string', format: 'date-time' } as const;

export const nullableInstantSchema = { type: ['string', 'null'], format: 'date-time' } as const;

export const chargerIdSchema = {
  type: 'string',
  pattern: CHARGER_ID_PATTERN,
  description: 'The identifier that the charger itself is configured with. Unique across the whole service.',
  'x-error-code': 'invalid_charger_id',
} as const;

export const siteIdSchema = {
  type: 'integer',
  minimum: 1,
  // Larger ones lose digits on their way through JSON.
  maximum: Number.MAX_SAFE_INTEGER,
  'x-error-code': 'invalid_site_id',
} as const;

export const siteParamsSchema = {
  type: 'object',
  properties: { siteId: siteIdSchema },
  required: ['siteId'],
  additionalProperties: false,
} as const;

export const latitudeSchema = { type: ['number', 'null'], minimum: -90, maximum: 90 } as const;

export const longitudeSchema = { type: ['number', 'null'], minimum: -180, maximum: 180 } as const;

export const chargerParamsSchema = {
  type: 'object',
  properties: { chargerId: chargerIdSchema },
  required: ['chargerId'],
  additionalProperties: false,
} as const;

/** The schema of an answer: an object whose fields are all always there. */
export function recordSchema<const T extends string, const P extends Readonly<Record<string, JSONSchema>>>(
  title: T,
  properties: P,
) {
  const required: readonly (keyof P & string)[] = Object.keys(properties);
  return { title, type: 'object', properties, required, additionalProperties: false } as const;
}
