// The OpenAPI document of an API, from its routes.
import type { ErrorCode } from '@busbar/core';
import type { JSONSchema } from 'json-schema-to-ts';
import { createComponents, type Components, type Example, type Json, type OpenApiVersion } from './components';
import { HEADERS, headersOfRefusal, headersOfSuccess, type HeaderName } from './documented-headers';
import { exampleOf } from './example-of';
import { openResponses } from './open-responses';
import { shareResponses } from './shared-responses';
import { webhooksSection, type DocumentedWebhooks } from './webhooks';
import { IF_MATCH_PATTERN } from '../routing/response/entity-tag';
import { IDEMPOTENCY_KEY_PATTERN } from '../routing/policy/idempotency';
import type { ErrorFacts, ErrorPresenter } from '../routing/response/presenter';
import { checksIfMatch, requiresBody, type ObjectSchema, type Route } from '../routing/route';

export interface OpenApiOptions<A> {
  readonly openapi: OpenApiVersion;
  readonly title: string;
  readonly version: string;
  readonly description: string;
  /** The groups of operations, in the order of their use. Every route has one of them. */
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly basePath: string;
  readonly routes: readonly Route<A>[];
  readonly securitySchemes: Readonly<Record<string, object>>;
  /** Alternatives; the schemes within one are all needed. */
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly presenter: ErrorPresenter;
  /** Requests that the service sends; only in OpenAPI 3.1. */
  readonly webhooks?: DocumentedWebhooks | undefined;
  /** As the app's: then every route has 400. */
  readonly refusesUnknownParameters?: boolean;
  /** The meaning and an example of each error code. */
  readonly describeError: (code: ErrorCode) => { readonly title: string; readonly example: ErrorFacts };
}

const HEADER_PARAMETERS = {
  'If-Match': {
    name: 'If-Match',
    in: 'header',
    required: false,
    description:
      'The ETag of an earlier response. The change is rejected with 412 when the record has changed since. Without it the last change wins.',
    schema: { type: 'string', pattern: IF_MATCH_PATTERN },
  },
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: [
      'A unique text that you choose for each new request. A repeated request with the same key within 24 hours gets the',
      'first response again, with `Idempotency-Replayed: true`, and has no further effect. All API keys of a client share their',
      'Idempotency-Keys. A response that contains a secret is replayed only to the API key that received it first.',
    ].join(' '),
    schema: { type: 'string', pattern: IDEMPOTENCY_KEY_PATTERN },
  },
  'Last-Event-ID': {
    name: 'Last-Event-ID',
    in: 'header',
    required: false,
    description:
      'The id of the last event that was received: the stream resumes behind it. EventSource sends it by itself.',
    schema: { type: 'string', maxLength: 2_000 },
  },
} as const;
const CONTACT = { name: 'The Busbar project' };
/** OpenAPI 3.0 has no SPDX identifier. */
const LICENSE = {
  '3.0.3': { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
  '3.1.0': { name: 'Apache-2.0', identifier: 'Apache-2.0' },
};
const ALWAYS: readonly ErrorCode[] = ['https_required', 'internal', 'unavailable'];
const WITH_KEY: readonly ErrorCode[] = ['unauthenticated', 'forbidden', 'rate_limited'];
const WITH_BODY: readonly ErrorCode[] = ['invalid_request', 'invalid_json', 'body_too_large', 'unsupported_media_type'];
const KEY_CODES: readonly ErrorCode[] = ['invalid_request', 'idempotency_key_reused', 'request_in_progress'];

/**
 * The document of an API, from its routes. A schema with a title becomes a component of that name. Throws where a route has an
 * unknown tag or an operation id that another has, and where a body or response lacks an example. Responses may have
 * further fields, bodies of requests not.
 */
export function buildOpenApi<A>(options: OpenApiOptions<A>): Json {
  const { openapi, title, version, description, tags, routes, security, securitySchemes } = options;
  checkNames(options);
  const components = createComponents(openapi);
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of routes) {
    const path = `${options.basePath}${route.path.replace(/:(\w+)/g, '{$1}')}`;
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route, options, components) };
  }
  const info = { title, version, description, contact: CONTACT, license: LICENSE[openapi] };
  const { paths: sharing, responses } = shareResponses(paths);
  const sent = options.webhooks && { webhooks: webhooksSection(options.webhooks, components) };
  const parts = { openapi, info, servers: [{ url: '/' }], security, tags, paths: sharing, ...sent };
  return openResponses({ ...parts, components: { securitySchemes, ...components.all, responses } });
}

function checkNames<A>({ routes, tags }: OpenApiOptions<A>): void {
  const known = new Set(tags.map(({ name }) => name));
  const ids = new Set<string>();
  for (const { tag, operationId } of routes) {
    if (!known.has(tag))
      throw new Error(`the tag ${tag} of ${operationId} has no description in the tags of the document`);
    if (ids.has(operationId)) throw new Error(`two operations have the id ${operationId}`);
    ids.add(operationId);
  }
}

/** The error codes of a route: its own, and those of its kind. */
function errorCodesOf<A>(
  route: Route<A>,
  { refusesUnknownParameters = false }: Pick<OpenApiOptions<A>, 'refusesUnknownParameters'> = {},
): readonly ErrorCode[] {
  const hasInput = refusesUnknownParameters || route.params !== undefined || route.query !== undefined;
  return [
    ...new Set<ErrorCode>([
      ...ALWAYS,
      ...(route.isPublic ? (['rate_limited'] as const) : WITH_KEY),
      ...(hasInput ? (['invalid_request'] as const) : []),
      ...(route.body === undefined ? [] : WITH_BODY),
      ...(checksIfMatch(route) ? (['invalid_request', 'precondition_failed'] as const) : []),
      ...(route.acceptsIdempotencyKey === true ? KEY_CODES : []),
      ...(route.isStream === true ? (['not_acceptable'] as const) : []),
      ...(route.errors ?? []),
    ]),
  ];
}

function operationOf<A>(route: Route<A>, options: OpenApiOptions<A>, components: Components): Json {
  const needs = route.permission === undefined ? '' : `Requires the permission \`${route.permission}\`.`;
  const description = [route.description, needs].filter((text) => text !== undefined && text !== '').join(' ');
  const header = (name: keyof typeof HEADER_PARAMETERS) => components.add('parameters', name, HEADER_PARAMETERS[name]);
  return {
    operationId: route.operationId,
    summary: route.summary,
    ...(description === '' ? {} : { description }),
    tags: [route.tag],
    ...(route.isPublic ? { security: [] } : {}),
    parameters: [
      ...parametersOf('path', route.params, components),
      ...parametersOf('query', route.query, components),
      ...(checksIfMatch(route) ? [header('If-Match')] : []),
      ...(route.acceptsIdempotencyKey === true ? [header('Idempotency-Key')] : []),
      ...(route.isStream === true ? [header('Last-Event-ID')] : []),
    ],
    ...(route.body === undefined ? {} : { requestBody: requestBodyOf(route.body, components) }),
    responses: responsesOf(route, options, components),
  };
}

function requestBodyOf(body: ObjectSchema, components: Components): Json {
  return { required: requiresBody(body), content: { 'application/json': components.content(body) } };
}

/** The text is the parameter's: readers do not see that of its schema. An example of an optional one would be sent by default. */
function parametersOf(place: 'path' | 'query', schema: ObjectSchema | undefined, components: Components): Json[] {
  if (schema === undefined) return [];
  const needed: readonly string[] = (schema as { required?: readonly string[] }).required ?? [];
  return Object.entries(schema.properties).map(([name, property]) => {
    const required = place === 'path' || needed.includes(name);
    return {
      name,
      in: place,
      required,
      description: (property as { readonly description?: string }).description,
      ...(required ? { example: exampleOf(property, name) } : {}),
      schema: components.schema(withoutTexts(property)),
    };
  });
}

/** A schema with a title keeps them, as a component. */
function withoutTexts(schema: JSONSchema): JSONSchema {
  const { title, ...rest } = schema as Json;
  if (title !== undefined) return schema;
  return Object.fromEntries(Object.entries(rest).filter(([key]) => key !== 'description' && key !== 'examples'));
}

function responsesOf<A>(route: Route<A>, options: OpenApiOptions<A>, components: Components): Json {
  const { presenter } = options;
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorCodesOf(route, options)) {
    const status = presenter.statusOf(code);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const errors = [...byStatus].map(([status, codes]) => [
    String(status),
    refusalOf(codes, headersOfRefusal(route, codes), options, components),
  ]);
  const { description = 'Success.' } = route.response as { readonly description?: string };
  const success = {
    description,
    headers: headersFor(headersOfSuccess(route), components),
    content: {
      [route.isStream === true ? 'text/event-stream' : 'application/json']: components.content(route.response),
    },
  };
  return { 200: success, ...(Object.fromEntries(errors) as Json) };
}

function refusalOf<A>(
  codes: readonly ErrorCode[],
  headers: readonly HeaderName[],
  { presenter, describeError }: OpenApiOptions<A>,
  components: Components,
): Json {
  const examples: Record<string, Example> = {};
  for (const code of codes) {
    const { title, example } = describeError(code);
    examples[presenter.nameOf(code)] = { summary: title, value: presenter.bodyOf(example) };
  }
  const mediaType = presenter.contentType.split(';')[0] ?? presenter.contentType;
  const names = Object.keys(examples);
  return {
    description: names.map((name) => `- \`${name}\`: ${examples[name]?.summary ?? ''}`).join('\n'),
    headers: headersFor(headers, components),
    content: { [mediaType]: components.content(presenter.schema, examples) },
  };
}

function headersFor(names: readonly HeaderName[], components: Components): Json {
  return Object.fromEntries(names.map((name) => [name, components.add('headers', name, HEADERS[name])]));
}
