import { isDeepStrictEqual } from 'node:util';
import type { ErrorCode } from '@busbar/core';
import type { JSONSchema } from 'json-schema-to-ts';
import { HEADERS, headerReferences, headersOfRefusal, headersOfSuccess, type HeaderName } from './documented-headers';
import { IF_MATCH_PATTERN } from '../routing/entity-tag';
import { IDEMPOTENCY_KEY_PATTERN } from '../routing/idempotency';
import type { ErrorPresenter } from '../routing/presenter';
import { checksIfMatch, requiresBody, type ObjectSchema, type Route } from '../routing/route';

export interface OpenApiOptions<A> {
  readonly openapi: '3.0.3' | '3.1.0';
  readonly title: string;
  readonly version: string;
  readonly description: string;
  readonly basePath: string;
  readonly routes: readonly Route<A>[];
  readonly securitySchemes: Readonly<Record<string, object>>;
  /** Alternatives; the schemes within one are all needed. */
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly presenter: ErrorPresenter;
  /** As the app's: then every route has 400. */
  readonly refusesUnknownParameters?: boolean;
}

type Json = Record<string, unknown>;

const IF_MATCH: Json = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'The ETag of an earlier response. The change is rejected with 412 when the record has changed since. Without it the last change wins.',
  schema: { type: 'string', pattern: IF_MATCH_PATTERN },
};
const IDEMPOTENCY_KEY: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: [
    'A unique text that you choose for each new request. A repeated request with the same key within 24 hours gets the',
    'first response again, with `Idempotency-Replayed: true`, and has no further effect. All API keys of a client share their',
    'Idempotency-Keys. A response that contains a secret is replayed only to the API key that received it first.',
  ].join(' '),
  schema: { type: 'string', pattern: IDEMPOTENCY_KEY_PATTERN },
};
const LAST_EVENT_ID: Json = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  description:
    'The id of the last event that was received: the stream resumes behind it. EventSource sends it by itself.',
  schema: { type: 'string', maxLength: 100 },
};
const ALWAYS: readonly ErrorCode[] = ['https_required', 'internal', 'unavailable'];
const WITH_KEY: readonly ErrorCode[] = ['unauthenticated', 'forbidden', 'rate_limited'];
const WITH_BODY: readonly ErrorCode[] = ['invalid_request', 'invalid_json', 'body_too_large', 'unsupported_media_type'];
const KEY_CODES: readonly ErrorCode[] = ['invalid_request', 'idempotency_key_reused', 'request_in_progress'];

/** The document of an API, from its routes. A schema with a title becomes a component of that name. */
export function buildOpenApi<A>(options: OpenApiOptions<A>): Json {
  const schemas: Json = {};
  const paths: Record<string, Json> = {};
  for (const route of options.routes) {
    const path = `${options.basePath}${route.path.replace(/:(\w+)/g, '{$1}')}`;
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route, options, schemas) };
  }
  return {
    openapi: options.openapi,
    info: { title: options.title, version: options.version, description: options.description },
    servers: [{ url: '/' }],
    security: options.security,
    tags: [...new Set(options.routes.map((route) => route.tag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: options.securitySchemes,
      schemas,
      headers: HEADERS,
      // The response of a path to a method that it does not have: no operation documents it.
      responses: {
        MethodNotAllowed: refusalOf(['method_not_allowed'], ['x-request-id', 'Allow'], options.presenter, schemas),
      },
    },
  };
}

/** The error codes of a route: its own, and those of its kind. */
export function errorCodesOf<A>(
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
      ...(route.errors ?? []),
    ]),
  ];
}

function operationOf<A>(route: Route<A>, options: OpenApiOptions<A>, schemas: Json): Json {
  const needs = route.permission === undefined ? '' : `Requires the permission \`${route.permission}\`.`;
  const description = [route.description, needs].filter((text) => text !== undefined && text !== '').join(' ');
  return {
    operationId: operationIdOf(route),
    summary: route.summary,
    ...(description === '' ? {} : { description }),
    tags: [route.tag],
    ...(route.isPublic ? { security: [] } : {}),
    parameters: [
      ...parametersOf('path', route.params, schemas),
      ...parametersOf('query', route.query, schemas),
      ...(checksIfMatch(route) ? [IF_MATCH] : []),
      ...(route.acceptsIdempotencyKey === true ? [IDEMPOTENCY_KEY] : []),
      ...(route.isStream === true ? [LAST_EVENT_ID] : []),
    ],
    ...(route.body === undefined ? {} : { requestBody: requestBodyOf(route.body, schemas) }),
    responses: responsesOf(route, options, schemas),
  };
}

function requestBodyOf(body: ObjectSchema, schemas: Json): Json {
  return { required: requiresBody(body), content: { 'application/json': { schema: hoist(body, schemas) } } };
}

/** `getChargersByChargerId`. */
function operationIdOf<A>(route: Route<A>): string {
  const words = route.path.split(/[/.-]/).filter((part) => part !== '');
  const name = words.map((part) => (part.startsWith(':') ? `By${capital(part.slice(1))}` : capital(part)));
  return route.method.toLowerCase() + name.join('');
}

function parametersOf(place: 'path' | 'query', schema: ObjectSchema | undefined, schemas: Json): Json[] {
  if (schema === undefined) return [];
  const required: readonly string[] = (schema as { required?: readonly string[] }).required ?? [];
  return Object.entries(schema.properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: hoist(property, schemas),
  }));
}

function responsesOf<A>(route: Route<A>, options: OpenApiOptions<A>, schemas: Json): Json {
  const { presenter } = options;
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorCodesOf(route, options)) {
    const status = presenter.statusOf(code);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const errors = [...byStatus].map(([status, codes]) => [
    String(status),
    refusalOf(codes, headersOfRefusal(route, codes), presenter, schemas),
  ]);
  const success = {
    description: 'Success.',
    headers: headerReferences(headersOfSuccess(route)),
    content: {
      [route.isStream === true ? 'text/event-stream' : 'application/json']: { schema: hoist(route.response, schemas) },
    },
  };
  return { 200: success, ...(Object.fromEntries(errors) as Json) };
}

function refusalOf(
  codes: readonly ErrorCode[],
  headers: readonly HeaderName[],
  presenter: ErrorPresenter,
  schemas: Json,
): Json {
  return {
    description: [...new Set(codes.map((code) => `\`${presenter.nameOf(code)}\``))].join(', '),
    headers: headerReferences(headers),
    content: { [mediaTypeOf(presenter)]: { schema: hoist(presenter.schema, schemas) } },
  };
}

function mediaTypeOf(presenter: ErrorPresenter): string {
  return presenter.contentType.split(';')[0] ?? presenter.contentType;
}

/** The schema with every titled part moved into the components. */
function hoist(schema: JSONSchema, schemas: Json): unknown {
  return hoistPart(schema, schemas);
}

function hoistPart(part: unknown, schemas: Json): unknown {
  if (Array.isArray(part)) return part.map((item: unknown) => hoistPart(item, schemas));
  if (typeof part !== 'object' || part === null) return part;
  const entries = Object.entries(part).map(([key, value]) => [key, hoistPart(value, schemas)] as const);
  const whole = Object.fromEntries(entries);
  if (typeof whole['title'] !== 'string' || typeof whole['type'] !== 'string') return whole;
  const name = whole['title'].replaceAll(' ', '');
  // Otherwise one would silently replace the other.
  if (schemas[name] !== undefined && !isDeepStrictEqual(schemas[name], whole)) {
    throw new Error(`two different schemas have the title ${name}: give one of them another`);
  }
  schemas[name] = whole;
  return { $ref: `#/components/schemas/${name}` };
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
