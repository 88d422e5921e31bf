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

/** A payload that fits the schema: its required fields, each with the smallest value. */
export function minimalPayload(schema: Schema): Readonly<Record<string, unknown>> {
  const { properties = {}, required = [] } = schema;
  return Object.fromEntries(required.map((name) => [name, valueOf(properties[name] ?? {})]));
}

function valueOf(schema: Schema): unknown {
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.format === 'date-time') return '2026-01-01T00:00:00.000Z';
  if (schema.type === 'string') return 'x';
  if (schema.type === 'boolean') return false;
  if (schema.type === 'array') return [valueOf(schema.items ?? {})];
  return schema.type === 'object' ? minimalPayload(schema) : (schema.minimum ?? 0);
}
