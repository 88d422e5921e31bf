import type { RequestHandler } from 'express';
import helmet from 'helmet';

/** Nothing but what lies beside the page, and the icons that its style sheet draws from data. */
const PAGE_POLICY = {
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'", 'data:'],
  connectSrc: ["'self'"],
  baseUri: ["'none'"],
  formAction: ["'none'"],
  frameAncestors: ["'none'"],
};

/** JSON needs nothing at all. */
const DATA_POLICY = { defaultSrc: ["'none'"], frameAncestors: ["'none'"] };

/** Browsers come back over TLS for a year. Of this host alone: what runs beside it on other names is not ours to decide. */
const HSTS_MAX_AGE_S = 31_536_000;
export const STRICT_TRANSPORT_SECURITY = `max-age=${String(HSTS_MAX_AGE_S)}`;

/** helmet's headers, with a policy for data. */
export function dataHeaders(sendsHsts: boolean): RequestHandler {
  return helmet({
    contentSecurityPolicy: { useDefaults: false, directives: DATA_POLICY },
    strictTransportSecurity: sendsHsts && { maxAge: HSTS_MAX_AGE_S, includeSubDomains: false },
  });
}

/** The policy of the interactive page in place of the one for data. */
export function pageHeaders(): RequestHandler {
  return helmet.contentSecurityPolicy({ useDefaults: false, directives: PAGE_POLICY });
}
