import type { ErrorCode } from '@busbar/core';
import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import type { Precondition, Versioned } from './entity-tag';
import type { InPieces } from './json-text';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Keyword beside the standard's: the error code of a value that this part of a schema refuses (`x-error-code`). */
export const ERROR_CODE_KEYWORD = 'x-error-code';
/** Likewise: what a client is told of a value that does not match this part's `pattern` (`x-pattern-message`). */
export const PATTERN_MESSAGE_KEYWORD = 'x-pattern-message';

/** The schema of a request body, of the path's or of the query's parameters. */
export type ObjectSchema = JSONSchema & {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, JSONSchema>>;
};

/** What a handler gets: everything parsed and checked. */
export interface Call<A, P, Q, B> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly auth: A;
  readonly requestId: string;
  /** `If-Match`, of versioned routes that were called with it. */
  readonly ifMatch?: Precondition | undefined;
}

interface Described {
  readonly method: Method;
  /** Below the app's base path, parameters with a colon: `/chargers/:chargerId`. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  /** The heading it stands under on the interactive page. */
  readonly tag: string;
  /**
   * What the route's own rules refuse with; what every route may refuse with is known already. A `forbidden` of its own is named
   * too: it is told after the request was counted.
   */
  readonly errors?: readonly ErrorCode[];
  /** Heeds `Idempotency-Key`: sent again, it is answered again and not done again. */
  readonly acceptsIdempotencyKey?: boolean;
  /** Its response holds a secret: sent again with an `Idempotency-Key`, the API key that got it gets it again, and no other. */
  readonly revealsSecret?: boolean;
}

/** A route whose types have been checked against its schemas and are no longer of interest. */
export interface Route<A> extends Described {
  readonly permission?: string;
  /** Needs no key. */
  readonly isPublic: boolean;
  /** Its handler gives a `Versioned` record; answers carry its ETag and changes heed `If-Match`. */
  readonly isVersioned?: boolean;
  /** The record is gone after it: its answer carries no ETag. */
  readonly endsRecord?: boolean;
  /** Its handler gives an answer of any length, read while it is sent. */
  readonly isLong?: boolean;
  readonly params?: ObjectSchema;
  readonly query?: ObjectSchema;
  readonly body?: ObjectSchema;
  /** Of the 200. */
  readonly response: JSONSchema;
  readonly handler: (call: Call<A, unknown, unknown, unknown>) => unknown;
}

/**
 * Whether it changes a record that is there already. Of a reader the header would only decide whether he gets the answer
 * (RFC 9110 clause 13.1.1), which nobody asks for.
 */
export function heedsIfMatch({ isVersioned, method, path }: Pick<Route<never>, 'isVersioned' | 'method' | 'path'>) {
  return isVersioned === true && method !== 'GET' && path.includes(':');
}

/** Whether a request without a body lacks something. Where nothing is required none is the same as `{}`. */
export function requiresBody(schema: ObjectSchema): boolean {
  return ((schema as { readonly required?: readonly string[] }).required ?? []).length > 0;
}

// The parameters of these types are not constrained to JSONSchema: TypeScript would work out FromSchema of the constraint,
// which has no end. What is no schema becomes `never` here, and does not compile when the app is created either.
type Parsed<S> = S extends undefined ? undefined : S extends JSONSchema ? FromSchema<S> : never;
type Answered<S> = S extends JSONSchema ? DeepReadonly<FromSchema<S>> : never;
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

/** What a route is declared by. */
export interface RouteDefinition<A, P, Q, B, R> extends Schemas<P, Q, B, R> {
  readonly handler: (call: Call<A, Parsed<P>, Parsed<Q>, Parsed<B>>) => Answered<R> | Promise<Answered<R>>;
}

/** What a route with an answer of any length is declared by. */
export interface LongRouteDefinition<A, P, Q, B, R> extends Schemas<P, Q, B, R> {
  readonly handler: (
    call: Call<A, Parsed<P>, Parsed<Q>, Parsed<B>>,
  ) => InPieces<Answered<R>> | Promise<InPieces<Answered<R>>>;
}

/** What a route to one record that clients change is declared by. */
export interface VersionedRouteDefinition<A, P, Q, B, R> extends Schemas<P, Q, B, R> {
  readonly endsRecord?: boolean;
  readonly handler: (call: Call<A, Parsed<P>, Parsed<Q>, Parsed<B>>) => Promise<Versioned<Answered<R>>>;
}

/**
 * Declares a route as data. The schemas are its validator, its part of the OpenAPI document and the types of its handler,
 * so that the three cannot part. `A` is what the app's `authenticate` gives. Routes of the methods in `idempotencyKeyOn` take
 * an `Idempotency-Key` unless they say otherwise.
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

    /** Answers with an ETag; whatever changes the record heeds `If-Match`. */
    versionedRoute: <const R, const P = undefined, const Q = undefined, const B = undefined>(
      definition: VersionedRouteDefinition<A, P, Q, B, R> & { readonly permission: string },
    ): Route<A> => ({ ...declare(definition), isVersioned: true }),

    /** Answers with sequences in place of arrays, whose items are read while they are sent. */
    longRoute: <const R, const P = undefined, const Q = undefined, const B = undefined>(
      definition: LongRouteDefinition<A, P, Q, B, R> & { readonly permission: string },
    ): Route<A> => ({ ...declare(definition), acceptsIdempotencyKey: false, isLong: true }),

    /** Needs no key; `auth` is undefined. */
    publicRoute: <const R, const P = undefined, const Q = undefined, const B = undefined>(
      definition: RouteDefinition<undefined, P, Q, B, R>,
    ): Route<A> => erase<A>(definition, true),
  };
}

// The one place where a handler's types are dropped: what it is called with has passed the very schemas that they came from.
function erase<A>(definition: unknown, isPublic: boolean): Route<A> {
  return { ...(definition as Omit<Route<A>, 'isPublic'>), isPublic };
}
