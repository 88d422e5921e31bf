// Reads and validates the input of a route: 413, 415, 400. All issues of a request are reported together.
import type { RequestHandler } from 'express';
import type { Exchange, Input } from '../exchange';
import { exchangeOf } from '../exchange';
import { refusalOf, type Issue } from './issue';
import { pathParameters, queryParameters, type Query } from './parameters';
import { unknownParameters } from './unknown-parameters';
import type { BodyReader } from './read-body';
import { requiresBody, type ObjectSchema, type Route } from '../route';
import { createRowsCompiler, MAX_ROW_ISSUES } from './validate-rows';
import { createCompiler, type Validator } from './validate';

interface Validators {
  readonly params: Validator;
  readonly query: Validator;
  readonly body: Validator;
  /** The issues of query parameters that the route does not have. */
  readonly unknown: (query: Query) => readonly Issue[];
}

/** Compiles the schemas of each route that it is given. Throws when one is invalid. */
export function createInputReader(
  readers: { readonly body: BodyReader; readonly rows: BodyReader },
  refusesUnknownParameters: boolean,
): <A>(route: Route<A>) => RequestHandler {
  const compile = createCompiler();
  const validator = (schema: ObjectSchema | undefined, prefix: string): Validator =>
    schema === undefined ? () => [] : compile(schema, prefix);
  const rows = createRowsCompiler();
  return (route) => {
    const readBody = route.rows === undefined ? readers.body : readers.rows;
    const validators: Validators = {
      params: validator(route.params, ':'),
      query: validator(route.query, '?'),
      body:
        route.body !== undefined && route.rows !== undefined ? rows(route.body, route.rows) : validator(route.body, ''),
      unknown: refusesUnknownParameters ? (query) => unknownParameters(query, route.query) : () => [],
    };
    return async (_request, response, next) => {
      const exchange = exchangeOf(response);
      exchange.input = await readInput(route, validators, exchange, readBody);
      next();
    };
  };
}

async function readInput<A>(
  route: Route<A>,
  validators: Validators,
  { request, response, query: given }: Exchange,
  readBody: BodyReader,
): Promise<Input> {
  const body = route.body && withoutBody(await readBody(request, response), route.body);
  const issues: Issue[] = [];
  const rawParams = request.params as Readonly<Record<string, string>>;
  const params = route.params && collect(pathParameters(rawParams, route.params), validators.params, issues);
  const query = route.query && collect(queryParameters(given, route.query), validators.query, issues);
  issues.push(...validators.unknown(given));
  if (route.body !== undefined) issues.push(...bodyIssues(body, validators.body));
  if (issues.length > 0) throw route.rows === undefined ? refusalOf(issues) : refusalOf(issues, MAX_ROW_ISSUES);
  return { params, query, body };
}

/** A request without a body is one with `{}` where nothing is required. */
function withoutBody(body: unknown, schema: ObjectSchema): unknown {
  return body === undefined && !requiresBody(schema) ? {} : body;
}

function collect(
  parameters: { readonly values: unknown; readonly issues: readonly Issue[] },
  check: Validator,
  issues: Issue[],
): unknown {
  // One that could not be decoded is missing from the values. It is reported once, not as missing too.
  const known = new Set(parameters.issues.map((issue) => issue.path));
  issues.push(...parameters.issues, ...check(parameters.values).filter((issue) => !known.has(issue.path)));
  return parameters.values;
}

function bodyIssues(body: unknown, check: Validator): readonly Issue[] {
  return body === undefined ? [{ path: '', message: 'must be a JSON object' }] : check(body);
}
