// Holds replies against an OpenAPI document: for tests, so that what is served and what is written cannot part.
import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import { operationFinder, operationsOf } from '../documents/documented-operations';

export interface ServedReply {
  readonly method: string;
  /** As it was asked for: a query does not matter. */
  readonly path: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

interface Operation {
  readonly responses: Readonly<Record<string, DocumentedResponse>>;
}

interface DocumentedResponse {
  readonly content: Readonly<Record<string, object>>;
  /** References to the headers of the components. */
  readonly headers?: Readonly<Record<string, object>>;
}

type Headers = Readonly<Record<string, { readonly required?: boolean; readonly schema: { readonly type: string } }>>;

type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

/**
 * What of a reply the document does not know: nothing, when all is as written. A path that is in no document may fail, and
 * what is not JSON is what it is.
 */
export function createReplyChecker(
  document: Readonly<Record<string, unknown>>,
): (reply: ServedReply) => readonly string[] {
  const ajv = new Ajv({ strict: false, allErrors: true, multipleOfPrecision: 3 });
  addFormats(ajv, ['date-time']);
  ajv.addSchema(document, 'document');
  const { headers: known = {} } =
    (document as { readonly components?: { readonly headers?: Headers } }).components ?? {};
  const find = operationFinder(operationsOf<Operation>(document as unknown as { readonly paths: Paths }));

  return ({ method, path, status, headers, text }) => {
    const { 'content-type': contentType } = headers;
    if (typeof contentType !== 'string' || !contentType.includes('json')) return [];
    const found = find(method, path);
    if (found === undefined) return [];
    const { content, headers: declared = {} } = found.definition.responses[String(status)] ?? {};
    if (content === undefined) return [`${method} ${path} is not said to answer ${String(status)}`];
    const [mediaType = ''] = contentType.split(';');
    if (content[mediaType] === undefined) return [`${String(status)} is not said to be ${mediaType}`];
    const pointer = `document#/paths/${escape(found.template)}/${found.method.toLowerCase()}/responses`;
    const check = ajv.compile({ $ref: `${pointer}/${String(status)}/content/${escape(mediaType)}/schema` });
    const wrong = headerIssues(known, declared, headers, (schema, value) => ajv.validate(schema, value));
    return check(JSON.parse(text)) ? wrong : [...wrong, ajv.errorsText(check.errors)];
  };
}

/** Of the headers that the document knows: those that came without its word, came otherwise, or did not come. */
function headerIssues(
  known: Headers,
  declared: Readonly<Record<string, object>>,
  headers: ServedReply['headers'],
  fits: (schema: object, value: unknown) => unknown,
): readonly string[] {
  return Object.entries(known).flatMap(([name, { required = false, schema }]) => {
    const value = headers[name.toLowerCase()];
    if (declared[name] === undefined) return value === undefined ? [] : [`${name} is not said to be sent`];
    if (value === undefined) return required ? [`${name} is missing`] : [];
    return fits(schema, schema.type === 'integer' ? Number(value) : value) === true
      ? []
      : [`${name} is not as it is said`];
  });
}

/** As part of a JSON pointer within a URI fragment. */
function escape(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
}
