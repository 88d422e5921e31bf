// JSON Schemas of the messages between services, with the types of the values that they describe. They make the AsyncAPI
// document. Services do not validate messages of each other: each body was parsed where it entered the system.

export interface Schema<Value> {
  readonly [keyword: string]: unknown;
  /** Always undefined: carries the type. */
  readonly describes?: Value;
}

/** The type of the values that a schema describes. */
export type ValueOf<S> = S extends Schema<infer Value> ? Value : never;

type Fields = Readonly<Record<string, Schema<unknown>>>;
type RecordOf<Required, Optional> = {
  readonly [Name in keyof Required]: ValueOf<Required[Name]>;
} & (Optional extends Fields ? { readonly [Name in keyof Optional]?: ValueOf<Optional[Name]> } : unknown);

export const text: Schema<string> = { type: 'string' };
export const nullableText: Schema<string | null> = { type: ['string', 'null'] };
export const integer: Schema<number> = { type: 'integer' };
export const nullableInteger: Schema<number | null> = { type: ['integer', 'null'] };
export const nullableNumber: Schema<number | null> = { type: ['number', 'null'] };
export const positive: Schema<number> = { type: 'integer', minimum: 1 };
export const flag: Schema<boolean> = { type: 'boolean' };
export const object: Schema<Readonly<Record<string, unknown>>> = { type: 'object' };
/** RFC 3339, UTC. */
export const timestamp: Schema<string> = { type: 'string', format: 'date-time' };
export const nullableTimestamp: Schema<string | null> = { type: ['string', 'null'], format: 'date-time' };
export const anything: Schema<unknown> = {};

export function record<R extends Fields, O extends Fields | undefined = undefined>(
  required: R,
  optional?: O,
): Schema<RecordOf<R, O>> {
  const properties = { ...required, ...optional };
  return { type: 'object', properties, required: Object.keys(required), additionalProperties: false };
}

export function list<Item>(items: Schema<Item>): Schema<readonly Item[]> {
  return { type: 'array', items };
}

export function oneOf<S extends readonly Schema<unknown>[]>(...schemas: S): Schema<ValueOf<S[number]>> {
  return { oneOf: schemas };
}

export function literal<const Value extends string | number | boolean>(...values: Value[]): Schema<Value> {
  return values.length === 1 ? { const: values[0] } : { enum: values };
}
