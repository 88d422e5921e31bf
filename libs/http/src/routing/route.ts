import type { IncomingHttpHeaders } from 'node:http';
import type { ErrorCode } from '@busbar/core';
import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import type { PlaceLimits } from '../limits/places';
import type { Precondition, Versioned } from './response/entity-tag';
import type { EventSource } from './response/event-stream';
import type { InPieces } from './response/json-text';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Schema keyword: the error code of a value that this part of the schema rejects. */
export const ERROR_CODE_KEYWORD = 'x-error-code';
/** Schema keyword: the message for a value that does not match this part's `pattern`. */
export const PATTERN_MESSAGE_KEYWORD = 'x-pattern-message';

/** The schema of a request body, of the path's or of the query's parameters. */
export type ObjectSchema = JSONSchema & {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, JSONSchema>>;
};

/** The validated input of a handler. */
export interface Call<A, P, Q, B> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly auth: A;
  readonly requestId: string;
  /** `If-Match`, on versioned routes. */
  readonly ifMatch?: Precondition | undefined;
  /** `Last-Event-ID`, on streams of events. */
  readonly lastEventId?: string;
  /** Aborted when the response must come now, on routes that wait. */
  readonly signal?: AbortSignal;
  /** On routes of cookies. */
  readonly request?: RequestFacts;
}

/** The parts of a request that a route of cookies needs. */
export interface RequestFacts {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  /** The caller's address, as limits count it. */
  readonly network: string;
}

/** A response with headers of its own. Without a body it is 204. */
export interface Headed<R> {
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: R;
}

interface Described {
  readonly method: Method;
  /** Below the app's base path, parameters with a colon: `/chargers/:chargerId`. */
  readonly path: string;
  /** The name of its function in generated clients: `listChargers`. Unique in its API. */
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  /** Its group on the interactive page: one of the document's tags. */
  readonly tag: string;
  /**
   * Error codes of the route's own rules; those of every route are added. A `forbidden` of its own rules is listed too, since
   * it follows the rate limit.
   */
  readonly errors?: readonly ErrorCode[];
  /** A repeated request with the same `Idempotency-Key` gets the stored response. */
  readonly acceptsIdempotencyKey?: boolean;
  /** Its response contains a secret, which is replayed only to the same API key. */
  readonly revealsSecret?: boolean;
  /**
   * The list in its body that may have thousands of rows: the body may have `LONG_BODY_BYTES`, and each row has one issue at most.
   */
  readonly rows?: string;
  /** Its handler may wait for long, and gets a `signal`. */
  readonly waits?: boolean;
}

/** A route without the types of its schemas, which its declaration has checked. */
export interface Route<A> extends Described {
  readonly permission?: string;
  /** Needs no API key. */
  readonly isPublic: boolean;
  /** Its handler returns a `Versioned` record: responses carry an ETag, and changes check `If-Match`. */
  readonly isVersioned?: boolean;
  /** It deletes the record, so its response has no ETag. */
  readonly endsRecord?: boolean;
  /** Its response has any length and is read while it is sent. */
  readonly isLong?: boolean;
  /** Its response is a stream of server-sent events. */
  readonly isStream?: boolean;
  readonly streams?: PlaceLimits;
  /** Its handler reads headers of the request and returns a `Headed` response. */
  readonly isHeaded?: boolean;
  readonly params?: ObjectSchema;
  readonly query?: ObjectSchema;
  readonly body?: ObjectSchema;
  /** The schema of the 200 response. */
  readonly response: JSONSchema;
  readonly handler: (call: Call<A, unknown, unknown, unknown>) => unknown;
}

/** Returns whether it changes an existing record. On reads `If-Match` would have no use. */
export function checksIfMatch({ isVersioned, method, path }: Pick<Route<never>, 'isVersioned' | 'method' | 'path'>) {
  return isVersioned === true && method !== 'GET' && path.includes(':');
}

/** Returns whether the body has a required field. Otherwise a request without a body is the same as one with `{}`. */
export function requiresBody(schema: ObjectSchema): boolean {
  return ((schema as { readonly required?: readonly string[] }).required ?? []).length > 0;
}

// The type parameters are not constrained to JSONSchema: TypeScript would expand FromSchema of the constraint without end.
// Anything but a schema becomes `never`, which does not compile.
type Parsed<S> = S extends undefined ? undefined : S extends JSONSchema ? FromSchema<S> : never;
type ResponseBody<S> = S extends JSONSchema ? DeepReadonly<FromSchema<S>> : never;
type DeepReadonly<T> = T extends readonly (infer I)[]
  ? readonly DeepReadonly<I>[]
  : T extends object
    ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T;

interface Schemas<P, Q, B, R> extends Described {
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  readonly response: R;
}

/** The declaration of a route. */
export interface RouteDefinition<A, P, Q, B, R> extends Schemas<P, Q, B, R> {
  readonly handler: (call: Call<A, Parsed<P>, Parsed<Q>, Parsed<B>>) => ResponseBody<R> | Promise<ResponseBody<R>>;
}

/** The declaration of a route with a response of any length. */
export interface LongRouteDefinition<A, P, Q, B, R> extends Schemas<P, Q, B, R> {
  readonly handler: (
    call: Call<A, Parsed<P>, Parsed<Q>, Parsed<B>>,
  ) => InPieces<ResponseBody<R>> | Promise<InPieces<ResponseBody<R>>>;
}

/** The declaration of a route with a stream of events. `response`: the schema of the whole text, with an example. */
export interface StreamRouteDefinition<A, P, Q, B, R> extends Schemas<P, Q, B, R> {
  /** Limits of its own streams. Absent: they count with those of other routes. */
  readonly streams?: PlaceLimits;
  readonly handler: (call: Call<A, Parsed<P>, Parsed<Q>, Parsed<B>>) => Promise<EventSource>;
}

/** The declaration of a route that reads and sets cookies. */
export interface CookieRouteDefinition<P, Q, B, R> extends Schemas<P, Q, B, R> {
  readonly handler: (
    call: Call<undefined, Parsed<P>, Parsed<Q>, Parsed<B>> & { readonly request: RequestFacts },
  ) => Promise<Headed<ResponseBody<R>>>;
}

/** The declaration of a route to one record with a version. */
export interface VersionedRouteDefinition<A, P, Q, B, R> extends Schemas<P, Q, B, R> {
  readonly endsRecord?: boolean;
  readonly handler: (call: Call<A, Parsed<P>, Parsed<Q>, Parsed<B>>) => Promise<Versioned<ResponseBody<R>>>;
}

/**
 * Declares routes as data. One schema is the validator, part of the OpenAPI document and the type of the handler. `A` is the
 * type of the caller. Routes of the methods in `idempotencyKeyOn` accept an `Idempotency-Key` by default.
 */
export function routesFor<A>({ idempotencyKeyOn = [] }: { readonly idempotencyKeyOn?: readonly Method[] } = {}) {
  const declare = (definition: Described): Route<A> => {
    const acceptsIdempotencyKey = definition.acceptsIdempotencyKey ?? idempotencyKeyOn.includes(definition.method);
    return { ...erase<A>(definition, false), acceptsIdempotencyKey };
  };
  return {
    route: <const R, const P = undefined, const Q = undefined, const B = undefined>(
      definition: RouteDefinition<A, P, Q, B, R> & { readonly permission: string },
    ): Route<A> => declare(definition),

    /** Responds with an ETag; changes check `If-Match`. */
    versionedRoute: <const R, const P = undefined, const Q = undefined, const B = undefined>(
      definition: VersionedRouteDefinition<A, P, Q, B, R> & { readonly permission: string },
    ): Route<A> => ({ ...declare(definition), isVersioned: true }),

    /** Returns sequences in place of arrays; their items are read while they are sent. */
    longRoute: <const R, const P = undefined, const Q = undefined, const B = undefined>(
      definition: LongRouteDefinition<A, P, Q, B, R> & { readonly permission: string },
    ): Route<A> => ({ ...declare(definition), acceptsIdempotencyKey: false, isLong: true }),

    /** Sends server-sent events until the client leaves. `Last-Event-ID` names where to resume. */
    streamRoute: <const R, const P = undefined, const Q = undefined, const B = undefined>(
      definition: StreamRouteDefinition<A, P, Q, B, R> & { readonly permission: string },
    ): Route<A> => ({ ...declare(definition), acceptsIdempotencyKey: false, isStream: true }),

    /** Needs no API key; `auth` is undefined. */
    publicRoute: <const R, const P = undefined, const Q = undefined, const B = undefined>(
      definition: RouteDefinition<undefined, P, Q, B, R>,
    ): Route<A> => erase<A>(definition, true),

    /** Needs no API key: it reads and sets cookies. */
    cookieRoute: <const R, const P = undefined, const Q = undefined, const B = undefined>(
      definition: CookieRouteDefinition<P, Q, B, R>,
    ): Route<A> => ({ ...erase<A>(definition, true), isHeaded: true }),
  };
}

// Drops the types of a handler. Its input passes the schemas that they come from.
function erase<A>(definition: unknown, isPublic: boolean): Route<A> {
  return { ...(definition as Omit<Route<A>, 'isPublic'>), isPublic };
}
