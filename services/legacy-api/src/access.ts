import type { PresentedKey } from '@busbar/api';
import type { Credentials } from '@busbar/http';

/** Callers send their API key as the query parameter `code`, and the `clientId` that it belongs to. */
export function presentedIn({ query }: Pick<Credentials, 'query'>): PresentedKey | undefined {
  const secret = single(query, 'code');
  const clientId = single(query, 'clientId');
  return secret === undefined || clientId === undefined ? undefined : { secret, clientId };
}

/** A repeated parameter is ambiguous and does not count. */
function single(query: URLSearchParams, name: string): string | undefined {
  const [first, ...more] = query.getAll(name);
  return first === undefined || first === '' || more.length > 0 ? undefined : first;
}
