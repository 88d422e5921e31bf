// Finds what an OpenAPI document lacks for its readers, for tests.
import Ajv, { type AnySchema } from 'ajv';
import addFormats from 'ajv-formats';
import { operationsOf } from './documented-operations';

type Json = Readonly<Record<string, unknown>>;

interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly nullable?: boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly additionalProperties?: boolean | Schema;
  readonly example?: unknown;
  readonly examples?: readonly unknown[];
}

interface Content {
  readonly schema: Schema;
  readonly examples?: Readonly<Record<string, { readonly $ref?: string; readonly value?: unknown }>>;
}

interface Described {
  readonly $ref?: string;
  readonly description?: string;
  readonly content?: Readonly<Record<string, Content>>;
}

interface Parameter extends Described {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: Schema;
  readonly example?: unknown;
}

interface Operation extends Described {
  readonly summary?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Described;
  readonly responses: Readonly<Record<string, Described>>;
}

type Report = (at: string, issue: string) => void;

/** A description that says what null means. */
const MEANING_OF_NULL = /\bnull\b/i;

/**
 * Each place of the document without a description, each body, response and path parameter without an example, each example that
 * its schema rejects, each nullable field that does not say what null means, and each object that is no component.
 */
export function documentIssues(document: Json): readonly string[] {
  const issues: string[] = [];
  const report: Report = (at, issue) => issues.push(`${at}: ${issue}`);
  const resolve = <T extends { readonly $ref?: string }>(part: T): T => resolved(document, part);
  const isValid = validatorOf(document);

  const checkContent = (at: string, { content = {} }: Described): void => {
    for (const { schema, examples = {} } of Object.values(content)) {
      if (schema.$ref === undefined) report(at, 'its schema is no component');
      if (Object.keys(examples).length === 0) report(at, 'has no example');
      for (const [name, example] of Object.entries(examples)) {
        if (!isValid(schema, resolve(example).value)) report(at, `its schema rejects the example ${name}`);
      }
    }
  };

  const operations = operationsOf(document as unknown as { readonly paths: Record<string, Record<string, Operation>> });
  const named = operations.map(({ method, template, definition }) => [`${method} ${template}`, definition] as const);
  const { webhooks = {} } = document as { readonly webhooks?: Readonly<Record<string, { readonly post: Operation }>> };
  const sent = Object.entries(webhooks).map(([name, { post }]) => [`webhook ${name}`, post] as const);
  for (const [at, definition] of [...named, ...sent]) {
    checkDescription(at, definition, report);
    for (const parameter of (definition.parameters ?? []).map(resolve)) {
      const name = `${at} ${parameter.name}`;
      checkDescription(name, parameter, report);
      if (!parameter.required) continue;
      if (parameter.example === undefined) report(name, 'has no example');
      else if (!isValid(parameter.schema, parameter.example)) report(name, 'its schema rejects its example');
    }
    if (definition.requestBody !== undefined) checkContent(`${at} body`, definition.requestBody);
    for (const [status, response] of Object.entries(definition.responses)) {
      const whole = resolve(response);
      checkDescription(`${at} ${status}`, whole, report);
      checkContent(`${at} ${status}`, whole);
    }
  }
  const { schemas = {} } = document['components'] as { readonly schemas?: Readonly<Record<string, Schema>> };
  for (const [name, schema] of Object.entries(schemas)) {
    checkDescription(name, schema, report);
    checkSchema(name, schema, { report, resolve, isValid }, true);
  }
  return [...new Set(issues)];
}

interface Checks {
  readonly report: Report;
  readonly resolve: (schema: Schema) => Schema;
  readonly isValid: (schema: Schema, value: unknown) => boolean;
}

function checkSchema(at: string, schema: Schema, checks: Checks, isComponent = false): void {
  const { properties, example, examples = [] } = schema;
  const { report, isValid } = checks;
  if (properties !== undefined && !isComponent) report(at, 'is an object without a name: give it a title');
  for (const value of example === undefined ? examples : [example]) {
    if (!isValid(schema, value)) report(at, 'rejects its own example');
  }
  for (const [name, property] of Object.entries(properties ?? {})) checkProperty(`${at}.${name}`, property, checks);
  for (const [suffix, part] of partsOf(schema)) checkSchema(`${at}${suffix}`, part, checks);
}

function checkProperty(at: string, property: Schema, checks: Checks): void {
  const { report, resolve } = checks;
  const target = resolve(property);
  const { description = '' } = property.description === undefined ? target : property;
  checkDescription(at, { description }, report);
  if (acceptsNull(target) && !MEANING_OF_NULL.test(description)) report(at, 'does not say what null means');
  checkSchema(at, property, checks);
}

function partsOf({ items, anyOf = [], additionalProperties }: Schema): (readonly [string, Schema])[] {
  return [
    ...(items === undefined ? [] : [['[]', items] as const]),
    ...anyOf.map((part) => ['', part] as const),
    ...(typeof additionalProperties === 'object' ? [['.*', additionalProperties] as const] : []),
  ];
}

function checkDescription(at: string, { description = '' }: Described, report: Report): void {
  if (description.trim() === '') report(at, 'has no description');
}

function acceptsNull({ type, nullable = false, anyOf = [] }: Schema): boolean {
  return nullable || type === 'null' || (Array.isArray(type) && type.includes('null')) || anyOf.some(acceptsNull);
}

function resolved<T extends { readonly $ref?: string }>(document: Json, part: T): T {
  if (part.$ref === undefined) return part;
  let target: unknown = document;
  for (const name of part.$ref.split('/').slice(1)) target = (target as Json)[name];
  return target as T;
}

function validatorOf(document: Json): (schema: Schema, value: unknown) => boolean {
  // Other formats are not checked.
  const ajv = new Ajv({ strict: false, multipleOfPrecision: 3, logger: false });
  addFormats(ajv, ['date-time']);
  ajv.addSchema(document, 'document');
  // References are to the whole document.
  const absolute = (schema: Schema): unknown =>
    JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"document#/'));
  return (schema, value) => ajv.validate(absolute(schema) as AnySchema, value) === true;
}
