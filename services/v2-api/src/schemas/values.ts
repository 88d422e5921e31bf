// Parts that several schemas of this API are made of. What both generations take alike is the domain's.
import type { JSONSchema } from 'json-schema-to-ts';
import { INPUT_LIMITS } from '@busbar/domain';
import { chargerIdSchema, siteIdSchema } from '@busbar/api';

export const nullableTextSchema = { type: ['string', 'null'], maxLength: INPUT_LIMITS.text } as const;

export const timestampSchema = { type: 'string', format: 'date-time' } as const;

export const nullableTimestampSchema = { type: ['string', 'null'], format: 'date-time' } as const;

/** Told of lists in a query whose texts may have commas of their own. */
export const OWN_COMMAS =
  'Repeated, or separated by commas; a comma within a value is written `\\,`, a backslash `\\\\`.';

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
