// Validates responses against an OpenAPI document: for tests.
import Ajv, { type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { HEADERS, type DocumentedHeader } from '../documents/documented-headers';
import { operationFinder, operationsOf } from './documented-operations';

export interface ServedReply {
  readonly method: string;
  /** As requested; the query is ignored. */
  readonly path: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

interface Operation {
  readonly responses: Readonly<Record<string, DocumentedResponse>>;
}

interface DocumentedResponse {
  /** The path of a response in the components. */
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
  /** References to the headers of the components. */
  readonly headers?: Readonly<Record<string, object>>;
}

type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

/** The differences between a response and its document. Unknown paths and responses other than JSON have none. */
export function createReplyChecker(
  document: Readonly<Record<string, unknown>>,
): (reply: ServedReply) => readonly string[] {
  const ajv = new Ajv({ strict: false, allErrors: true, multipleOfPrecision: 3 });
  addFormats(ajv, ['date-time']);
  ajv.addSchema(document, 'document');
  const find = operationFinder(operationsOf<Operation>(document as unknown as { readonly paths: Paths }));
  /** Compiled once: that takes a hundred times as long as a check. */
  const checks = new Map<object, ValidateFunction>();

  function checkOf(schema: object): ValidateFunction {
    const known = checks.get(schema);
    if (known !== undefined) return known;
    const compiled = ajv.compile(absolute(schema));
    checks.set(schema, compiled);
    return compiled;
  }

  return ({ method, path, status, headers, text }) => {
    const { 'content-type': contentType } = headers;
    if (typeof contentType !== 'string' || !contentType.includes('json')) return [];
    const found = find(method, path);
    if (found === undefined) return [];
    const { content, headers: declared = {} } = resolve(document, found.definition.responses[String(status)]);
    if (content === undefined) return [`${method} ${path} does not document ${String(status)}`];
    const [mediaType = ''] = contentType.split(';');
    const { [mediaType]: documented } = content;
    if (documented === undefined) return [`${String(status)} is not documented as ${mediaType}`];
    const check = checkOf(documented.schema);
    const headerErrors = headerIssues(declared, headers, (schema, value) => ajv.validate(schema, value));
    return check(JSON.parse(text)) ? headerErrors : [...headerErrors, ajv.errorsText(check.errors)];
  };
}

/** The known headers that are undocumented for this response, invalid, or missing. */
function headerIssues(
  declared: Readonly<Record<string, object>>,
  headers: ServedReply['headers'],
  fits: (schema: object, value: unknown) => unknown,
): readonly string[] {
  return Object.entries<DocumentedHeader>(HEADERS).flatMap(([name, { required = false, schema }]) => {
    const value = headers[name.toLowerCase()];
    if (declared[name] === undefined) return value === undefined ? [] : [`${name} is not documented`];
    if (value === undefined) return required ? [`${name} is missing`] : [];
    return fits(schema, schema.type === 'integer' ? Number(value) : value) === true
      ? []
      : [`${name} does not match its schema`];
  });
}

function resolve(document: Readonly<Record<string, unknown>>, response: DocumentedResponse = {}): DocumentedResponse {
  const name = response.$ref?.split('/').at(-1);
  if (name === undefined) return response;
  const { responses } = document['components'] as { readonly responses: Readonly<Record<string, DocumentedResponse>> };
  return responses[name] ?? {};
}

/** The schema with its reference into the added document. */
function absolute(schema: { readonly $ref?: string }): object {
  return schema.$ref === undefined ? schema : { $ref: `document${schema.$ref}` };
}
