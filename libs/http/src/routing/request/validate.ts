import type { ErrorCode } from '@busbar/core';
import Ajv, { type ErrorObject, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { JSONSchema } from 'json-schema-to-ts';
import type { Issue } from './issue';
import { ERROR_CODE_KEYWORD, PATTERN_MESSAGE_KEYWORD } from '../route';
import { isTimeZone, TIME_ZONE_FORMAT } from './time-zone';

/** The issues of a value; none when it is valid. */
export type Validator = (value: unknown) => readonly Issue[];

export type CompileSchema = (schema: JSONSchema, pathPrefix: string) => Validator;

/** Keywords whose errors only repeat another error. */
const REDUNDANT: ReadonlySet<string> = new Set(['if', 'propertyNames']);
const FORMAT_MESSAGES: Readonly<Record<string, string>> = {
  'date-time': 'must be a timestamp such as 2026-01-31T12:00:00.000Z',
  [TIME_ZONE_FORMAT]: 'must be the name of an IANA time zone such as Europe/Oslo, with its upper and lower case',
};
const ISO_LENGTH = '2026-01-01T00:00:00.000Z'.length;

/** One compiler for all schemas of an app. It never coerces, defaults or removes values. */
export function createCompiler({ allErrors } = { allErrors: true }): CompileSchema {
  const ajv = new Ajv({
    allErrors,
    verbose: true,
    strict: true,
    allowUnionTypes: true,
    // Without it a third of all numbers with one decimal fail `multipleOf: 0.1`.
    multipleOfPrecision: 3,
  });
  ajv.addKeyword({ keyword: ERROR_CODE_KEYWORD, schemaType: 'string' });
  ajv.addKeyword({ keyword: PATTERN_MESSAGE_KEYWORD, schemaType: 'string' });
  addFormats(ajv, ['date-time']);
  const rfc3339 = ajv.formats['date-time'];
  ajv.addFormat('date-time', (text) => passes(rfc3339, text) && isStorable(text));
  ajv.addFormat(TIME_ZONE_FORMAT, isTimeZone);
  return (schema, pathPrefix) => {
    const check = ajv.compile(schema as object);
    return (value) => issuesFrom(check, value, pathPrefix);
  };
}

function issuesFrom(check: ValidateFunction, value: unknown, pathPrefix: string): Issue[] {
  if (check(value)) return [];
  const errors = (check.errors ?? []).filter(({ keyword }) => !REDUNDANT.has(keyword));
  return withoutOtherAlternatives(errors).map((error) => toIssue(error, pathPrefix));
}

/**
 * Where a value has the type of one alternative of an `anyOf`, the errors of that one are left, without those that say that the value
 * has not the type of another one and fits none of them. Linear, since a body may have thousands of errors.
 */
function withoutOtherAlternatives(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const places = new Set(errors.filter(({ keyword }) => keyword === 'anyOf').map(({ instancePath }) => instancePath));
  if (places.size === 0) return errors;
  const explained = new Set<string>();
  for (const { keyword, instancePath } of errors) {
    let path = isAboutAlternatives(keyword) ? parentOf(instancePath) : instancePath;
    while (path !== undefined && !explained.has(path)) {
      if (places.has(path)) explained.add(path);
      path = parentOf(path);
    }
  }
  return errors.filter(({ keyword, instancePath }) => !isAboutAlternatives(keyword) || !explained.has(instancePath));
}

function isAboutAlternatives(keyword: string): boolean {
  return keyword === 'anyOf' || keyword === 'type';
}

/** Undefined: it is the whole value. */
function parentOf(path: string): string | undefined {
  return path === '' ? undefined : path.slice(0, path.lastIndexOf('/'));
}

function toIssue(error: ErrorObject, pathPrefix: string): Issue {
  const path = pointerOf(error);
  const code = codeOf(error);
  return {
    path: pathPrefix === '' ? path : `${pathPrefix}${path.slice(1)}`,
    message: describeError(error),
    ...(code === undefined ? {} : { code }),
  };
}

function pointerOf({ instancePath, params, propertyName }: ErrorObject): string {
  const { missingProperty, additionalProperty } = params as Record<string, unknown>;
  const field = propertyName ?? missingProperty ?? additionalProperty;
  return typeof field === 'string'
    ? `${instancePath}/${field.replaceAll('~', '~0').replaceAll('/', '~1')}`
    : instancePath;
}

function describeError(error: ErrorObject): string {
  return error.propertyName === undefined ? describeValue(error) : `has a name that ${describeValue(error)}`;
}

function describeValue({ keyword, message, params, parentSchema, data }: ErrorObject): string {
  const { allowedValues } = params as { allowedValues?: readonly unknown[] };
  if (keyword === 'required') return 'is required';
  if (keyword === 'additionalProperties') return 'is not a known field';
  if (keyword === 'enum' && allowedValues !== undefined)
    return `must be one of ${allowedValues.map(String).join(', ')}`;
  if (keyword === 'format')
    return `${FORMAT_MESSAGES[(params as { format: string }).format] ?? 'is invalid'}${plusHint(data)}`;
  if (keyword === 'type') return `must be ${[(params as { type: string | string[] }).type].flat().join(' or ')}`;
  const own = keyword === 'pattern' ? (parentSchema?.[PATTERN_MESSAGE_KEYWORD] as string | undefined) : undefined;
  return own ?? message ?? 'is invalid';
}

/** A `+` in a query means a space: `T12:00:00+02:00` arrives as `T12:00:00 02:00`. */
function plusHint(value: unknown): string {
  const isDecodedPlus = typeof value === 'string' && value.includes('T') && value.at(-6) === ' ';
  return isDecodedPlus ? '; write the + of an offset as %2B in a URL' : '';
}

function codeOf({ parentSchema }: ErrorObject): ErrorCode | undefined {
  return parentSchema?.[ERROR_CODE_KEYWORD] as ErrorCode | undefined;
}

function passes(format: unknown, text: string): boolean {
  if (typeof format === 'function') return (format as (value: string) => boolean)(text);
  if (format instanceof RegExp) return format.test(text);
  const { validate } = format as { validate: unknown };
  return passes(validate, text);
}

/** RFC 3339 allows a leap second, and an offset may lead beyond year 9999: the stored form has neither. */
function isStorable(text: string): boolean {
  const date = new Date(text);
  return Number.isFinite(date.getTime()) && date.toISOString().length === ISO_LENGTH;
}
