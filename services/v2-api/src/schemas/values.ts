// Common parts of this API's schemas. Those of both APIs are in libs/api.
import type { JSONSchema } from 'json-schema-to-ts';
import { INPUT_LIMITS } from '@busbar/domain';
import { chargerIdSchema, siteIdSchema } from '@busbar/api';

export const nullableTextSchema = { type: ['string', 'null'], maxLength: INPUT_LIMITS.text } as const;

export const timestampSchema = { type: 'string', format: 'date-time' } as const;

export const nullableTimestampSchema = { type: ['string', 'null'], format: 'date-time' } as const;

/** For lists in a query whose texts may contain commas. */
export const OWN_COMMAS =
  'Repeat it, or separate values by commas. Within a value write a comma as `\\,` and a backslash as `\\\\`.';

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

/** The schema of a response: an object whose fields are all required. */
export function recordSchema<const T extends string, const P extends Readonly<Record<string, JSONSchema>>>(
  title: T,
  properties: P,
) {
  const required: readonly (keyof P & string)[] = Object.keys(properties);
  return { title, type: 'object', properties, required, additionalProperties: false } as const;
}
