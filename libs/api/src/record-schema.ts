// Schemas of objects without further fields, and types of fields in responses, which have no limits.
import type { JSONSchema } from 'json-schema-to-ts';

type Fields = Readonly<Record<string, JSONSchema>>;

export const string = { type: 'string' } as const;
export const integer = { type: 'integer' } as const;
export const number = { type: 'number' } as const;
export const boolean = { type: 'boolean' } as const;
export const count = { type: 'integer', minimum: 0 } as const;
export const timestampSchema = { type: 'string', format: 'date-time', examples: ['2026-01-31T12:00:00.000Z'] } as const;

/** The schema of a body: an object with these fields and no others. */
export function recordSchema<const T extends string, const R extends Fields, const O extends Fields = R>(
  title: T,
  description: string,
  required: R,
  optional?: O,
) {
  return { title, description, ...paramsSchema(required, optional) } as const;
}

/** The same without texts, for parameters. */
export function paramsSchema<const R extends Fields, const O extends Fields = R>(required: R, optional?: O) {
  const names: readonly (keyof R & string)[] = Object.keys(required);
  const properties: R & O = { ...required, ...(optional as O) };
  return { type: 'object', properties, required: names, additionalProperties: false } as const;
}
