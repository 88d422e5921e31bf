// `Link: …; rel="next"` (RFC 8288) of lists with pages.
import type { Exchange } from '../exchange';
import type { Route } from '../route';

/** Clients limit the headers of a response; the body has the next page too. */
const MAX_LENGTH = 8_000;

/** Returns whether responses of the route are pages of a list. */
export function isPaged<A>({ method, response }: Pick<Route<A>, 'method' | 'response'>): boolean {
  const { properties = {} } = response as { readonly properties?: object };
  return method === 'GET' && 'hasNextPage' in properties;
}

/**
 * The header for a page that is not the last one: by cursor where the response has one. The
 * reference is relative to the request's own origin, which only a proxy may know. Undefined where it would be too long.
 */
export function nextLink({ notes, query }: Pick<Exchange, 'notes' | 'query'>, page: unknown): string | undefined {
  const { hasNextPage, page: number, nextCursor } = page as Readonly<Record<string, unknown>>;
  if (hasNextPage !== true) return undefined;
  const parameters = new URLSearchParams(query.values);
  if (typeof nextCursor === 'string') parameters.set('after', nextCursor);
  else parameters.set('page', String(Number(number) + 1));
  const link = `<${notes.path}?${parameters.toString()}>; rel="next"`;
  return link.length > MAX_LENGTH ? undefined : link;
}
