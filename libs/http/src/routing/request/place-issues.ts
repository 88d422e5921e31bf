import { AppError, isAppError } from '@busbar/core';
import type { Route } from '../route';

/** An issue of a use case, which knows the name of the field and not its place: `from`, `sockets/0/id`. */
interface FieldIssue {
  readonly field?: string;
  readonly path?: string;
  readonly message: string;
}

/** The route, whose errors say where in the request the invalid fields stand. */
export function placeIssues<A>(route: Route<A>): Route<A> {
  const place = ({ field, message, path }: FieldIssue) => ({
    path: field === undefined ? path : pathOf(route, field),
    message,
  });
  return {
    ...route,
    async handler(call) {
      try {
        return await route.handler(call);
      } catch (error) {
        if (!isAppError(error) || !Array.isArray(error.details['issues'])) throw error;
        const issues = (error.details['issues'] as FieldIssue[]).map(place);
        throw new AppError(error.code, error.message, { details: { ...error.details, issues }, cause: error });
      }
    },
  };
}

function pathOf<A>({ params, query }: Route<A>, field: string): string {
  if (params !== undefined && field in params.properties) return `:${field}`;
  return query !== undefined && field in query.properties ? `?${field}` : `/${field}`;
}
