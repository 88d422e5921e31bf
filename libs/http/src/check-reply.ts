// Holds replies against an OpenAPI document: for tests, so that what is served and what is written cannot part.
import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import { createMatcher } from './match-route';

export interface ServedReply {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly status: number;
  readonly contentType: string | undefined;
  readonly body: unknown;
}

interface Operation {
  readonly responses: Readonly<Record<string, { readonly content: Readonly<Record<string, object>> }>>;
}

/** What of a reply the document does not know: nothing, when all is as written. A path that is in no document may fail. */
export function createReplyChecker(
  document: Readonly<Record<string, unknown>>,
): (reply: ServedReply) => readonly string[] {
  const ajv = new Ajv({ strict: false, allErrors: true, multipleOfPrecision: 3 });
  addFormats(ajv, ['date-time']);
  ajv.addSchema(document, 'document');
  const paths = document['paths'] as Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  const operations = Object.entries(paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path: template.replace(/\{(\w+)\}/g, ':$1'),
      pointer: `document#/paths/${escape(template)}/${method}/responses`,
      operation,
    })),
  );
  const match = createMatcher(operations);

  return ({ method, path, status, contentType, body }) => {
    const found = match(method, path);
    if (found.kind !== 'found') return [];
    const { operation, pointer } = found.target;
    const content = operation.responses[String(status)]?.content;
    if (content === undefined) return [`${method} ${path} is not said to answer ${String(status)}`];
    const mediaType = contentType?.split(';')[0] ?? '';
    if (content[mediaType] === undefined) return [`${String(status)} is not said to be ${mediaType}`];
    const check = ajv.compile({ $ref: `${pointer}/${String(status)}/content/${escape(mediaType)}/schema` });
    return check(body) ? [] : [ajv.errorsText(check.errors)];
  };
}

/** As part of a JSON pointer within a URI fragment. */
function escape(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
}
