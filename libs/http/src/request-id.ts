import { createId } from '@busbar/core';

const SANE = /^[A-Za-z0-9._:-]{1,128}$/;

/** The caller's own id where it is fit for a header and a log line, else a new one. */
export function requestIdFrom(header: string | readonly string[] | undefined): string {
  return typeof header === 'string' && SANE.test(header) ? header : createId();
}
