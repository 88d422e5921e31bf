import { createId } from '@busbar/core';

/** Safe in a header and a log line. */
export const REQUEST_ID_PATTERN = '^[A-Za-z0-9._:-]{1,128}$';
const SAFE = new RegExp(REQUEST_ID_PATTERN);

/** The caller's own id where it is safe, else a new one. */
export function requestIdFrom(header: string | readonly string[] | undefined): string {
  return typeof header === 'string' && SAFE.test(header) ? header : createId();
}
