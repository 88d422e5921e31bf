import type { PresentedKey } from '@busbar/api';
import type { Credentials } from '@busbar/http';

/** A key may contain spaces, except at its ends. */
const BEARER = /^Bearer +([\x21-\x7e](?:[\x20-\x7e]{0,198}[\x21-\x7e])?)$/i;

/** Callers send their API key as `x-api-key` or `Authorization: Bearer`. */
export function presentedIn({ headers }: Pick<Credentials, 'headers'>): PresentedKey | undefined {
  const own = headers['x-api-key'];
  if (typeof own === 'string' && own !== '') return { secret: own };
  const secret = BEARER.exec(headers.authorization ?? '')?.[1];
  return secret === undefined ? undefined : { secret };
}
