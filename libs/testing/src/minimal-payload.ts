/** The part of a JSON Schema that a minimal payload depends on. */
interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly minimum?: number;
}

type FieldsOf = (schema: Schema) => readonly string[];

/** A payload that fits the schema: its required fields, each with the smallest value. */
export function minimalPayload(schema: Schema): Readonly<Record<string, unknown>> {
  return payloadOf(schema, ({ required = [] }) => required);
}

/** A payload that fits the schema: all its fields, at every depth, each with the smallest value. */
export function completePayload(schema: Schema): Readonly<Record<string, unknown>> {
  return payloadOf(schema, ({ properties = {} }) => Object.keys(properties));
}

function payloadOf(schema: Schema, fieldsOf: FieldsOf): Readonly<Record<string, unknown>> {
  return Object.fromEntries(fieldsOf(schema).map((name) => [name, valueOf(schema.properties?.[name] ?? {}, fieldsOf)]));
}

function valueOf(schema: Schema, fieldsOf: FieldsOf): unknown {
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.format === 'date-time') return '2026-01-01T00:00:00.000Z';
  if (schema.type === 'string') return 'x';
  if (schema.type === 'boolean') return false;
  if (schema.type === 'array') return [valueOf(schema.items ?? {}, fieldsOf)];
  return schema.type === 'object' ? payloadOf(schema, fieldsOf) : (schema.minimum ?? 0);
}
