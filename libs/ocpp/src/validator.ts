// Validates payloads against the schema of their action, and tolerates deviations (rules 42, 44 to 49).
import type { CompiledPayload, PayloadFailure, PayloadSchema } from './compiled';
import { NO_DEVIATIONS, type DeviationKind, type Tolerance } from './deviation';
import type { Situation } from './error-codes';
import type { Protocol } from './protocol';
import { repairPayload, type RepairRules } from './repair';
import { parseTimestamp } from './timestamp';

export interface ValidPayload {
  readonly ok: true;
  /** The received payload with its repairs; an empty object where `null` means that. */
  readonly payload: Readonly<Record<string, unknown>>;
  readonly deviations: readonly DeviationKind[];
  /** `payload` differs from the received one. */
  readonly repaired?: true;
}

export interface Refusal {
  readonly ok: false;
  readonly situation: Situation;
  readonly description: string;
}

export type Validation = ValidPayload | Refusal;

type Side = 'request' | 'response';

// Where a keyword fits more than one of OCPP's codes, the standard's description decides: too few items are "missing fields".
const SITUATIONS: Readonly<Record<string, Situation>> = {
  required: 'occurrence',
  additionalProperties: 'occurrence',
  minItems: 'occurrence',
  maxItems: 'occurrence',
  type: 'type',
};

const UNSTORABLE_NAME = 'The name of a field contains U+0000, or is "_bsontype".';
const NULL_PAYLOAD: readonly DeviationKind[] = ['null_payload'];

/** The switch that tolerates a deviation, and the situation where it is off. Kinds without a row are always tolerated (rule 48). */
const TOLERATED: Partial<Record<DeviationKind, { by: keyof Tolerance; else: Situation; description: string }>> = {
  vendor_field: { by: 'vendorFields', else: 'occurrence', description: 'A field is not in the schema.' },
  unknown_enum_value: { by: 'vendorFields', else: 'value', description: 'A value is not one of those allowed.' },
  zoneless_timestamp: { by: 'zonelessIsUtc', else: 'value', description: 'A timestamp has no zone.' },
};

/** Validates the payload of a CALL. An action without a schema is `unknown_action`. */
export function validateRequest(
  protocol: Protocol,
  action: string,
  payload: unknown,
  tolerance: Tolerance,
): Validation {
  return validate(protocol, action, { side: 'request', payload }, tolerance);
}

/** Validates the payload of a CALLRESULT. */
export function validateResponse(
  protocol: Protocol,
  action: string,
  payload: unknown,
  tolerance: Tolerance,
): Validation {
  return validate(protocol, action, { side: 'response', payload }, tolerance);
}

function validate(
  protocol: Protocol,
  action: string,
  message: { readonly side: Side; readonly payload: unknown },
  tolerance: Tolerance,
): Validation {
  const compiled = protocol.schemas.get(action)?.[message.side];
  if (compiled === undefined) return refuse('unknown_action', 'This action is not known.');
  const isEmpty = message.payload === null && (protocol.nullIsEmpty === 'always' || tolerance.nullFields);
  const payload = isEmpty ? {} : message.payload;
  if (!isObject(payload)) return refuse('malformed_payload', 'The payload is not an object.');
  const isStrict = compiled.strict(payload);
  if (isStrict && !protocol.hasOpenFields) return accept(payload, isEmpty);
  if (hasUnstorableName(payload)) return refuse('malformed_payload', UNSTORABLE_NAME);
  return isStrict ? accept(payload, isEmpty) : tolerate(protocol, compiled, payload, tolerance);
}

function accept(payload: ValidPayload['payload'], isEmpty: boolean): ValidPayload {
  return { ok: true, payload, deviations: isEmpty ? NULL_PAYLOAD : NO_DEVIATIONS };
}

// Off the usual path: the payload deviates, and every deviation must be tolerated.
function tolerate(
  { repairs }: Pick<Protocol, 'repairs'>,
  compiled: CompiledPayload,
  payload: Readonly<Record<string, unknown>>,
  tolerance: Tolerance,
): Validation {
  if (!compiled.lenient(payload)) return repair(repairs, compiled, payload, tolerance);
  const found = new Set<DeviationKind>();
  collectDeviations(compiled.schema, payload, false, found);
  // The checks contradict the search for deviations: refuse rather than store what no rule allows.
  if (found.size === 0) return refusalOf(compiled.strict.errors?.[0]);
  for (const kind of found) {
    const rule = TOLERATED[kind];
    if (rule !== undefined && !tolerance[rule.by]) return refuse(rule.else, rule.description);
  }
  return { ok: true, payload, deviations: [...found] };
}

// A payload that cannot be repaired completely is refused for its original failure.
function repair(
  repairs: RepairRules,
  compiled: CompiledPayload,
  payload: Readonly<Record<string, unknown>>,
  tolerance: Tolerance,
): Validation {
  const failure = compiled.lenient.errors?.[0];
  const repaired = repairPayload(compiled.schema, payload, tolerance, repairs);
  if (repaired === undefined || !compiled.lenient(repaired.fitting)) return refusalOf(failure);
  const { kept, kinds } = repaired;
  const judged: Validation = compiled.strict(repaired.fitting)
    ? { ok: true, payload: kept, deviations: NO_DEVIATIONS }
    : tolerate({ repairs }, compiled, repaired.fitting, tolerance);
  if (!judged.ok) return refusalOf(failure);
  return { ok: true, payload: kept, deviations: [...kinds, ...judged.deviations], repaired: true };
}

function collectDeviations(schema: PayloadSchema, value: unknown, optional: boolean, found: Set<DeviationKind>): void {
  if (typeof value === 'string') {
    const kind = stringDeviation(schema, value, optional);
    if (kind !== undefined) found.add(kind);
  } else if (Array.isArray(value)) {
    const { items } = schema;
    if (items !== undefined) for (const item of value) collectDeviations(items, item, false, found);
  } else if (isObject(value) && schema.properties !== undefined) {
    collectInFields(schema, schema.properties, value, found);
  }
}

function collectInFields(
  schema: PayloadSchema,
  properties: Readonly<Record<string, PayloadSchema>>,
  value: Readonly<Record<string, unknown>>,
  found: Set<DeviationKind>,
): void {
  for (const key of Object.keys(value)) {
    const field = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (field === undefined) {
      if (schema.open !== true) found.add('vendor_field');
    } else collectDeviations(field, value[key], schema.required?.includes(key) !== true, found);
  }
}

function stringDeviation(schema: PayloadSchema, value: string, optional: boolean): DeviationKind | undefined {
  if (schema.enum !== undefined && !schema.enum.includes(value)) {
    return value === '' && optional ? 'empty_string' : 'unknown_enum_value';
  }
  if (schema.format !== 'date-time') return undefined;
  if (value === '' && optional) return 'empty_string';
  return parseTimestamp(value)?.zoned === false ? 'zoneless_timestamp' : undefined;
}

function refusalOf(failure: PayloadFailure | undefined): Refusal {
  if (failure === undefined) return refuse('internal', 'The payload could not be validated.');
  const situation = SITUATIONS[failure.keyword] ?? 'value';
  const { missingProperty } = failure.params;
  const missing = typeof missingProperty === 'string' ? `/${missingProperty}` : '';
  // A path of the lenient schema consists of the schema's own names and of indexes, never of the charger's text.
  return refuse(situation, `${failure.instancePath}${missing} fails "${failure.keyword}".`);
}

function refuse(situation: Situation, description: string): Refusal {
  return { ok: false, situation, description };
}

/**
 * MongoDB cannot store such a message. BSON ends a name at U+0000, and its library treats an object with `_bsontype` as
 * a type of its own. Names of the schema are neither, so only payloads with other names, or open fields, are checked.
 */
function hasUnstorableName(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(hasUnstorableName);
  return Object.entries(value).some(
    ([name, inner]) => name === '_bsontype' || name.includes('\u0000') || hasUnstorableName(inner),
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
