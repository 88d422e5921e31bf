// Repairs payloads that fail their schema for common defects of chargers' serializers, where the repair is unambiguous. It walks
// along the schema once, so its time is linear in the payload. Only payloads that failed come here, and the result is validated
// again.
import type { PayloadSchema } from './compiled';
import type { DeviationKind, Tolerance } from './deviation';
import { codePoints } from './formats';

type Payload = Readonly<Record<string, unknown>>;

export interface Repair {
  /** The repaired payload for validation. Fields that the schema does not know are unchanged. */
  readonly fitting: Payload;
  /** The payload for the handler: the same with texts up to `KEPT_FACTOR` times their limit. */
  readonly kept: Payload;
  readonly kinds: ReadonlySet<DeviationKind>;
}

/** Texts are kept up to so many times their limit: a vendor name of 36 letters is worth more than 20 of them. */
const KEPT_FACTOR = 4;
/** A double holds every decimal number of so many digits. */
const EXACT_DIGITS = 15;
const MAX_NUMBER_LENGTH = 32;
/** No exponent, plus sign or leading zeros: the rest is the same as a number and as a text. */
const PLAIN_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** Names of fields whose meaning limits repairs. */
export interface RepairRules {
  /** Compared with others, or parsed whole: cut, they would name another or be worthless, so they are refused instead. */
  readonly uncuttable: ReadonlySet<string>;
  /** An optional list that is empty counts as absent (rule 113). */
  readonly emptyLists: boolean;
  /** Registers that count whole watt-hours. */
  readonly wattHours: ReadonlySet<string>;
}

interface Walk {
  readonly rules: RepairRules;
  readonly tolerance: Tolerance;
  readonly kinds: Set<DeviationKind>;
  readonly lengthFactor: number;
}

/** Undefined where nothing may be repaired. */
export function repairPayload(
  schema: PayloadSchema,
  payload: Payload,
  tolerance: Tolerance,
  rules: RepairRules,
): Repair | undefined {
  const kinds = new Set<DeviationKind>();
  const fitting = repairFields(schema, payload, { rules, tolerance, kinds, lengthFactor: 1 });
  if (kinds.size === 0) return undefined;
  if (!kinds.has('overlong_text')) return { fitting, kept: fitting, kinds };
  const kept = repairFields(schema, payload, { rules, tolerance, kinds: new Set(), lengthFactor: KEPT_FACTOR });
  return { fitting, kept, kinds };
}

function repairFields(schema: PayloadSchema, value: Payload, walk: Walk): Payload {
  const { properties = {}, required = [] } = schema;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]) => {
      const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (known === undefined) return [[name, field]];
      const absence = required.includes(name) ? undefined : absenceOf(known, field, walk);
      if (absence !== undefined) {
        walk.kinds.add(absence);
        return [];
      }
      return [[name, repairValue(known, field, name, walk)]];
    }),
  );
}

/** The deviation of an optional field that was sent for an absent one. */
function absenceOf(schema: PayloadSchema, value: unknown, { rules, tolerance }: Walk): DeviationKind | undefined {
  if (!tolerance.nullFields) return undefined;
  if (value === null) return 'null_field';
  const isEmpty = Array.isArray(value) && value.length === 0 && (schema.minItems ?? 0) > 0;
  return isEmpty && rules.emptyLists ? 'empty_list' : undefined;
}

/** `name` is the field's, for an item of a list too. */
function repairValue(schema: PayloadSchema, value: unknown, name: string, walk: Walk): unknown {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items === undefined ? value : value.map((item: unknown) => repairValue(items, item, name, walk));
  }
  if (typeof value === 'object' && value !== null) return repairFields(schema, value as Payload, walk);
  const converted = walk.tolerance.numberTexts ? convert(schema, value, walk.rules.uncuttable.has(name)) : undefined;
  if (converted !== undefined) walk.kinds.add('number_text');
  const scalar = converted ?? value;
  if (typeof scalar === 'string') return withinLimit(schema, scalar, name, walk);
  if (typeof scalar === 'number' && walk.rules.wattHours.has(name)) return wholeWattHours(scalar, walk);
  return scalar;
}

/** The number in a text, or the text of a number, where the conversion is exact; else undefined. */
function convert(schema: PayloadSchema, value: unknown, isIdentifier: boolean): string | number | undefined {
  if (typeof value === 'number' && schema.type === 'string') return textOf(schema, value, isIdentifier);
  const isNumeric = schema.type === 'integer' || schema.type === 'number';
  return typeof value === 'string' && isNumeric ? numberOf(value) : undefined;
}

function textOf(schema: PayloadSchema, value: number, isIdentifier: boolean): string | undefined {
  if (schema.enum !== undefined || schema.format !== undefined) return undefined;
  const text = String(value);
  // A tag may consist of digits, so an integer can be one; a fraction cannot.
  const isExact = Number.isSafeInteger(value) || (!isIdentifier && isPlainFraction(text));
  return isExact ? text : undefined;
}

function numberOf(text: string): number | undefined {
  if (text.length > MAX_NUMBER_LENGTH || !PLAIN_NUMBER.test(text)) return undefined;
  const value = Number(text);
  const isExact = text.includes('.') ? isPlainFraction(text) : Number.isSafeInteger(value);
  return isExact ? value : undefined;
}

/** Returns whether a double holds every digit of it. */
function isPlainFraction(text: string): boolean {
  return text.includes('.') && PLAIN_NUMBER.test(text) && text.replace(/[-.]/g, '').length <= EXACT_DIGITS;
}

function withinLimit({ maxLength }: PayloadSchema, text: string, name: string, walk: Walk): string {
  if (maxLength === undefined || !walk.tolerance.overlongTexts || walk.rules.uncuttable.has(name)) return text;
  if (codePoints(text) <= maxLength) return text;
  walk.kinds.add('overlong_text');
  const limit = maxLength * walk.lengthFactor;
  // A character takes at most two code units, so the rest can be ignored.
  return Array.from(text.slice(0, 2 * limit))
    .slice(0, limit)
    .join('');
}

/** Rounds down, as a register of whole watt-hours does: a partial one has not been delivered. */
function wholeWattHours(value: number, { tolerance, kinds }: Walk): number {
  if (Number.isInteger(value) || !tolerance.fractionalMeters) return value;
  kinds.add('fractional_meter');
  return Math.floor(value);
}
