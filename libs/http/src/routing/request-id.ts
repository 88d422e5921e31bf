import { createId } from '@busbar/core';

/** Fit for a header and a log line. */
export const REQUEST_ID_PATTERN = '^[A-Za-z0-9._:-]{1,128}$';
const SANE = new RegExp(REQUEST_ID_PATTERN);

/** The caller's own id where it is fit for a header and a log line, else a new one. */
export function requestIdFrom(header: string | readonly string[] | undefined): string {
  return typeof header === 'string' && SANE.test(header) ? header : createId();
}
